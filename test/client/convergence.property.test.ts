import { expect, jest, test } from '@jest/globals';
import {
  type LiveInbox,
  live,
  liveGroup,
  liveGroups,
  type Message,
  NotFoundError,
  type OpenConversation,
  type Reader,
} from '../../client/src/index.ts';
import { createRandom } from '../soak/client/seeded-random.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import type { SimulatedGroup } from './simulation/group-entries.ts';
import { goodConditions, type NetworkConditions } from './simulation/simulated-network.ts';
import {
  advanceTime,
  createSimulation,
  setMinutesPastHour,
  useSimulatedTime,
} from './simulation/simulation.ts';

useSimulatedTime();

const people = ['ann', 'bob', 'carol'] as const;
const which = fc.nat({ max: 9 });
const user = fc.constantFrom(...people);
const toSteps = <What extends string>(
  weight: number,
  by: fc.Arbitrary<string>,
  ...what: What[]
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...what), user: by, which }),
});
const ann = fc.constant('ann');
const step = fc.oneof(
  toSteps(8, user, 'send'),
  toSteps(3, user, 'delete'),
  toSteps(3, user, 'edit', 'pin'),
  toSteps(3, user, 'react'),
  toSteps(3, user, 'read'),
  toSteps(2, user, 'create', 'end', 'flag'),
  toSteps(3, ann, 'open'),
  toSteps(3, ann, 'close', 'answer', 'markRead', 'older', 'more'),
  toSteps(3, ann, 'markUnread', 'reload', 'change', 'erase', 'reconnect'),
  toSteps(3, ann, 'cut', 'silence', 'offline', 'storm', 'fair', 'join', 'leave'),
  toSteps(4, user, 'found', 'admit', 'expel', 'rename', 'dissolve'),
  toSteps(8, user, 'wait'),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const storm: Partial<NetworkConditions> = {
  lostRequests: 0.2,
  lostPushes: 0.3,
  duplicatePushes: 0.3,
  latePushes: 3000,
  latency: 800,
};

/**
 * Returns the ids of the messages that each reader except Ann has read. No event reports when Ann
 * has read messages.
 */
const readMessages = (messages: readonly Message[], readers: readonly Reader[]) =>
  readers
    .filter(({ contact_id }) => contact_id !== 'ann')
    .map(({ contact_id, last_read_message_id, last_opened_at }) => ({
      ...{ contact_id, last_opened_at },
      read: messages.flatMap(({ id }) => ((last_read_message_id ?? '') >= id ? [id] : [])),
    }));

async function play(seed: number, steps: readonly Step[]) {
  // Timers of an earlier run would use random numbers of this one.
  jest.clearAllTimers();
  setMinutesPastHour(createRandom(seed, 'clock').integer(0, 59));
  // If the seed is odd, every text is too long for a push.
  const { service, network, client, chance } = createSimulation(seed, {}, seed % 2 ? 0 : undefined);
  const choices = createRandom(seed, 'people');
  for (const one of ['ann', 'bob', 'carol']) service.getGroups(one).add('team');
  for (const contact of ['bob', 'carol']) service.create('ann', { contact });
  service.create('bob', { group: 'team' });

  const filters = choices.chance(0.3) ? {} : { exclude: ['archived' as const] };
  const polls = choices.chance(0.2);
  const inbox: LiveInbox = live(client, {
    conversations: { limit: choices.integer(2, 4), ...filters },
    messagesPerPage: choices.integer(2, 5),
    WebSocket: polls ? null : network.WebSocket,
  });
  const flag = choices.one(['archived', 'pinned', 'muted']) ?? '';
  const flagged = { [flag]: true, limit: 2 };
  const flaggedList = inbox.list(flagged);
  const open = new Map<string, OpenConversation>();

  const groups = liveGroups(inbox);
  const followed = new Map<string, ReturnType<typeof liveGroup>>();
  const userGroups: SimulatedGroup[] = [];
  /** Creates a group with a conversation. For the first three groups, opens `liveGroup` stores. */
  const found = (by: string, title: string) => {
    const group = service.createGroup(by, title);
    service.create(by, { group: group.id });
    userGroups.push(group);
    if (userGroups.length <= 3) followed.set(group.id, liveGroup(inbox, group.id));
  };
  found('bob', 'first');

  const sendRequest = (by: string, method: string, path: string, body?: object) =>
    service.respond(by, method, `/v1/${path}`, body);
  const of = (by: string, n: number) => {
    const all = service.conversations.filter(
      (one) =>
        !one.isDeleted &&
        (one.group ? service.getGroups(by).has(one.group) : one.by === by || one.contact === by),
    );
    return all[n % all.length];
  };
  let text = 0;
  const perform = async ({ do: what, user: by, which: n }: Step) => {
    const one = of(by, n);
    const message = one?.messages.filter((each) => !each.isDeleted).at(-1 - (n % 3));
    const group = userGroups[n % userGroups.length];
    const opened = [...open.values()][n % Math.max(1, open.size)];
    const ignore = () => {};
    text += 1;
    switch (what) {
      case 'send':
        return void (one && service.send(by, one, `${text}`));
      case 'edit':
        return void (
          message && sendRequest(by, 'PUT', `messages/${message.id}`, { message: `${text}` })
        );
      case 'react':
        return void (
          message &&
          sendRequest(by, 'PUT', `messages/${message.id}`, {
            reactions: { like: n % 2 ? [by] : [] },
          })
        );
      case 'delete':
        return void (message && sendRequest(by, 'DELETE', `messages/${message.id}`));
      case 'pin':
        return void (
          one &&
          sendRequest(by, 'PUT', `conversations/${one.id}`, {
            pinned_message_id: message?.id ?? null,
          })
        );
      case 'create':
        return void service.create(by, n % 3 ? { contact: 'ann' } : { group: 'team' });
      case 'end':
        return void (one && n % 3 === 0 && sendRequest(by, 'DELETE', `conversations/${one.id}`));
      case 'read':
        return void (one && sendRequest(by, 'GET', `messages?conversation_id=${one.id}`));
      case 'flag': {
        const flags = [
          ...[{ archived_at: 1 }, { archived_at: null }, { is_muted: true }],
          ...[{ is_pinned: true }],
        ];
        return void (one && sendRequest(by, 'PUT', `conversations/${one.id}`, flags[n % 4]));
      }
      case 'open': {
        if (!one || open.has(one.id)) return;
        const conversation = inbox.open(one.id, { peek: n > 6 });
        open.set(one.id, conversation);
        return void conversation.loadReaders().catch(ignore);
      }
      case 'close':
        opened?.close();
        return void (opened && open.delete(opened.id));
      case 'answer':
        return void opened?.send({ message: `${text}` }).catch(ignore);
      case 'markRead':
        return void opened?.markRead().catch(ignore);
      case 'markUnread':
        return void (message && one && open.get(one.id)?.markUnread(message.id).catch(ignore));
      case 'reload':
        return void opened?.reload().catch(ignore);
      case 'change':
        return void (
          message &&
          one &&
          open
            .get(one.id)
            ?.update(message.id, { message: `${text}` })
            .catch(ignore)
        );
      case 'erase':
        return void (message && one && open.get(one.id)?.delete(message.id).catch(ignore));
      case 'reconnect':
        return inbox.reconnect();
      case 'older':
        return void opened?.loadOlder().catch(ignore);
      case 'more':
        return void inbox.loadMore().catch(ignore);
      case 'cut':
        return network.cut();
      case 'silence':
        return network.cut('silently');
      case 'offline':
        network.conditions.isOffline = true;
        network.cut(n % 2 ? 'silently' : undefined);
        return;
      case 'storm':
        return void Object.assign(network.conditions, storm);
      case 'fair':
        network.conditions = { ...goodConditions };
        return;
      // Without a reconnect, the client would not notice a group that Ann leaves and soon rejoins.
      case 'join':
        service.getGroups('ann').add(n % 2 ? 'team' : 'friends');
        return inbox.reconnect();
      case 'leave':
        service.getGroups('ann').delete('team');
        return inbox.reconnect();
      case 'found':
        return found(by, `${text}`);
      case 'admit':
        return void (group && service.addMember(group, by));
      case 'expel':
        return void (group && service.removeMember(group, by));
      case 'rename':
        return void (group && service.renameGroup(group, `${text}`));
      case 'dissolve':
        return void (group && n % 3 === 0 && service.deleteGroup(group));
      case 'wait':
        return advanceTime(2 ** (n * 1.7) * chance());
    }
  };
  await advanceTime(chance() ** 3 * 30_000);
  for (const one of steps) await perform(one);
  network.conditions = { ...goodConditions };
  await advanceTime(40 * 60_000);

  /** Advances the clock by a second. Returns the call's result, or undefined if the call fails. */
  const waitFor = async <Result>(call: Promise<Result>): Promise<Result | undefined> => {
    const settled = call.catch(() => undefined);
    await advanceTime(1000);
    return settled;
  };
  const expand = ['contact', 'last_message', 'unread_count'] as const;
  /**
   * Returns a store's `hasMore`. If `hasMore` is true although the API has no more items, calls
   * `load` first, because the remaining items may have been deleted.
   */
  const hasMore = async (
    store: Pick<LiveInbox, 'getSnapshot'> | OpenConversation,
    isMore: boolean,
    load: () => Promise<void>,
  ) => {
    if (!isMore && store.getSnapshot().hasMore) await waitFor(load());
    return store.getSnapshot().hasMore;
  };

  const { status, error } = inbox.getSnapshot();
  expect([status, error]).toEqual([polls ? 'polling' : 'live', null]);
  for (const [list, params] of [
    [inbox, filters],
    [flaggedList, flagged],
  ] as const) {
    const { conversations } = list.getSnapshot();
    const limit = Math.max(1, conversations.length);
    const listing = client.conversations.list({ ...params, expand: [...expand], limit });
    const page = await waitFor(listing.page());
    expect(conversations).toEqual(page?.data);
    expect(await hasMore(list, page?.has_more ?? false, list.loadMore)).toBe(page?.has_more);
  }

  const listed = await waitFor(client.groups.list({ limit: 100 }).page());
  expect(groups.getSnapshot()).toEqual({ status: 'ready', error: null, groups: listed?.data });
  for (const [group_id, store] of followed) {
    const group = (await waitFor(client.groups.retrieve({ group_id }))) ?? null;
    const members = await waitFor(client.members.list({ group_id, limit: 100 }).page());
    expect(store.getSnapshot()).toEqual({
      ...{ status: group ? 'ready' : 'gone', error: null, group, members: members?.data ?? [] },
      role: members?.data.find(({ contact_id }) => contact_id === 'ann')?.role ?? null,
    });
  }

  for (const one of open.values()) {
    const { messages: loaded, hasMore: hasOlder } = one.getSnapshot();
    // All loaded messages may have been deleted.
    if (loaded.length === 0 && hasOlder) {
      await waitFor(one.loadOlder());
      await advanceTime(10_000);
    }
    const { messages, pending, readers, hasMore: _more, ...known } = one.getSnapshot();
    // Messages that Ann sent without access stay in the snapshot.
    expect(pending.filter(({ error }) => !(error instanceof NotFoundError))).toEqual([]);
    const params = { conversation_id: one.id, limit: Math.max(1, messages.length), peek: true };
    const listedMessages = await waitFor(client.messages.list(params).page());
    const conversation = await waitFor(
      client.conversations.retrieve({ conversation_id: one.id, expand: [...expand] }),
    );
    expect(known).toEqual({
      status: listedMessages ? 'ready' : 'gone',
      error: null,
      conversation: conversation ?? null,
    });
    expect(messages).toEqual(listedMessages?.data ?? []);
    if (!conversation) expect(readers).toEqual([]);
    if (conversation?.group_id === null) {
      const listedReaders = await waitFor(client.readers.list({ conversation_id: one.id }).page());
      expect(readMessages(messages, readers)).toEqual(
        readMessages(messages, listedReaders?.data ?? []),
      );
    }
    const isMore = listedMessages?.has_more ?? false;
    expect(await hasMore(one, isMore, one.loadOlder)).toBe(isMore);
  }
  inbox.close();
}

test('The stores converge to the API’s lists despite lost, late and duplicate pushes and lost requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), play),
    {
      numRuns: Number(process.env.LIVE_RUNS ?? selectSize(150, 1500)),
      // In this example, all loaded conversations are deleted while `hasMore` is true.
      examples: [[26, Array(2).fill({ do: 'end', user: 'ann', which: 0 })]],
    },
  );
}, 240_000);
