import { describe, expect, test } from '@jest/globals';
import type { LiveOptions } from '../../../../../client/src/index.ts';
import { startListening } from '../../../simulation/listening-client.ts';
import { createMemoryStorage } from '../../../simulation/memory-storage.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const requestsLive = 'GET /v1/live';

/** Starts Ann's inbox. Bob creates a group and sends a message in its conversation. */
async function startWithGroup(isMember: boolean, options: LiveOptions = {}) {
  const listening = await startListening(options);
  const { service, network, inbox } = listening;
  const createGroup = (title: string) => {
    const group = service.createGroup('bob', title);
    const conversation = service.create('bob', { group: group.id });
    service.send('bob', conversation, `Welcome to ${title}`);
    return { group, conversation };
  };
  const { group, conversation } = createGroup('Cinema');
  if (isMember) service.addMember(group, 'ann');
  await advanceTime(minute);
  return {
    ...listening,
    ...{ group, conversation, createGroup },
    listed: () => inbox.getSnapshot().conversations.map(({ id }) => id),
    delay: (request: RegExp, by: number) => {
      network.conditions.replyDelay = (one) => (request.test(one) ? by : 0);
    },
  };
}

describe('Being added to a group', () => {
  test('shows its conversations and their new messages on the same connection', async () => {
    const { service, network, inbox, group, conversation, listed } = await startWithGroup(false);
    const statuses = new Set<string>();
    inbox.subscribe(() => statuses.add(inbox.getSnapshot().status));
    const { protocols } = network;
    service.addMember(group, 'ann');
    await advanceTime(2 * second);
    expect(listed()).toContain(conversation.id);
    network.requests.length = 0;
    await advanceTime(10 * second);
    service.send('bob', conversation, 'At eight');
    await advanceTime(second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('At eight');
    expect(statuses).toEqual(new Set(['live']));
    expect(network.protocols).toBe(protocols);
    inbox.close();
  });

  test('shows its conversations even if the lists are still loading', async () => {
    const { service, inbox, group, createGroup, conversation, listed, delay } =
      await startWithGroup(false);
    const other = createGroup('Chess');
    await advanceTime(second);
    // The service reads the lists before Ann is added to the second group, and replies afterward.
    delay(/conversations$/, 5 * second);
    service.addMember(group, 'ann');
    await advanceTime(3 * second);
    service.addMember(other.group, 'ann');
    await advanceTime(15 * second);
    expect(listed()).toEqual(expect.arrayContaining([conversation.id, other.conversation.id]));
    inbox.close();
  });

  test('during a `GET /v1/live` request still subscribes to its channel', async () => {
    const { service, inbox, group, createGroup, conversation, listed, delay } =
      await startWithGroup(false);
    const other = createGroup('Chess');
    await advanceTime(second);
    delay(/live$/, 5 * second);
    service.addMember(group, 'ann');
    await advanceTime(3 * second);
    service.addMember(other.group, 'ann');
    await advanceTime(20 * second);
    expect(listed()).toContain(conversation.id);
    service.send('bob', other.conversation, 'Again');
    await advanceTime(second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('Again');
    inbox.close();
  });

  test('without a WebSocket shows its conversations after a poll', async () => {
    const { service, inbox, group, conversation, listed } = await startWithGroup(false, {
      WebSocket: null,
    });
    service.addMember(group, 'ann');
    await advanceTime(30 * second);
    expect(listed()).toContain(conversation.id);
    inbox.close();
  });

  test('and to 299 other groups shows the messages of all 300, although only 100 groups have channels', async () => {
    const { service, inbox, createGroup } = await startWithGroup(false);
    const others = Array.from({ length: 300 }, (_, n) => createGroup(`${n}`));
    for (const { group } of others) service.addMember(group, 'ann');
    await advanceTime(5 * minute);
    while (inbox.getSnapshot().hasMore) {
      const loading = inbox.loadMore();
      await advanceTime(second);
      await loading;
    }
    const before = inbox.getSnapshot().conversations.length;
    const getShown = (text: string) => {
      const { status, conversations } = inbox.getSnapshot();
      const shown = conversations.filter(({ last_message }) => last_message?.message === text);
      return [status, conversations.length, shown.length];
    };
    // Groups 200 to 209 have no channel yet.
    for (const [n, { conversation }] of others.slice(200, 210).entries()) {
      service.send('bob', conversation, 'At eight');
      await advanceTime(75 * second);
      expect(getShown('At eight')).toEqual(['live', before, n + 1]);
    }
    for (const { conversation } of others.slice(40, 200))
      service.send('bob', conversation, 'Later');
    await advanceTime(120 * minute);
    expect(getShown('Later')).toEqual(['live', before, 160]);
    inbox.close();
  });

  test('and removed 300 times in ten minutes causes fewer than 100 requests to GET /v1/live', async () => {
    const { service, inbox, group, countRequests } = await startWithGroup(false);
    const toggleMembership = async () => {
      for (let n = 0; n < 600; n += 1) {
        if (n % 2) service.removeMember(group, 'ann');
        else service.addMember(group, 'ann');
        await advanceTime(second);
      }
    };
    const counted = countRequests(requestsLive, 10 * minute);
    await Promise.all([toggleMembership(), counted]);
    expect(await counted).toBeLessThan(100);
    inbox.close();
  });
});

describe('Losing access to a group', () => {
  test.each(['removal', 'deletion'])(
    'by %s hides the group’s conversations without waiting for a reply',
    async (cause) => {
      const { service, inbox, group, conversation, listed, delay } = await startWithGroup(true);
      const open = inbox.open(conversation.id);
      await advanceTime(5 * second);
      expect(open.getSnapshot()).toMatchObject({ status: 'ready' });
      delay(/./, minute);
      if (cause === 'removal') service.removeMember(group, 'ann');
      else service.deleteGroup(group);
      await advanceTime(second);
      expect(listed()).not.toContain(conversation.id);
      expect(open.getSnapshot()).toMatchObject({
        ...{ status: 'gone', conversation: null, messages: [], readers: [], hasMore: false },
      });
      inbox.close();
    },
  );

  test('hides its conversations even if replies to earlier requests arrive later', async () => {
    const { service, inbox, group, conversation, listed, delay } = await startWithGroup(true);
    const open = inbox.open(conversation.id);
    await advanceTime(5 * second);
    delay(/conversations|messages/, 10 * second);
    const reloading = open.reload();
    const list = inbox.list({});
    await advanceTime(second);
    service.removeMember(group, 'ann');
    const shown = new Set<string>();
    await advanceTime(second);
    open.subscribe(() => shown.add(open.getSnapshot().status));
    const listedIds = () => list.getSnapshot().conversations.map(({ id }) => id);
    for (let n = 0; n < 20; n += 1) {
      await advanceTime(second);
      expect([...listed(), ...listedIds()]).not.toContain(conversation.id);
    }
    await reloading;
    expect(open.getSnapshot()).toMatchObject({ status: 'gone', messages: [] });
    expect([...shown].filter((status) => status !== 'gone')).toEqual([]);
    inbox.close();
  });

  test('while offline hides its conversations when GET /v1/live returns', async () => {
    const { service, network, inbox, group, conversation, listed, delay } =
      await startWithGroup(true);
    const open = inbox.open(conversation.id);
    await advanceTime(5 * second);
    network.conditions.isOffline = true;
    network.cut();
    service.removeMember(group, 'ann');
    await advanceTime(20 * minute);
    expect(listed()).toContain(conversation.id);
    network.conditions.isOffline = false;
    delay(/conversations|messages|events/, minute);
    inbox.reconnect();
    await advanceTime(second);
    expect(listed()).not.toContain(conversation.id);
    expect(open.getSnapshot().status).toBe('gone');
    inbox.close();
  });

  test('unsubscribes the client from its channel until the user rejoins', async () => {
    const { service, network, inbox, group, conversation, listed } = await startWithGroup(true);
    const frames: string[] = [];
    network.overrideFrame = ({ type, channel }) => {
      frames.push(`${type} ${channel?.split('/')[2] ?? ''}`.trim());
      return undefined;
    };
    service.removeMember(group, 'ann');
    await advanceTime(10 * second);
    expect(frames).toEqual(['unsubscribe']);
    service.addMember(group, 'ann');
    await advanceTime(10 * second);
    expect(frames).toEqual(['unsubscribe', `subscribe g:${group.id}`]);
    service.send('bob', conversation, 'Again');
    await advanceTime(second);
    expect(listed()[0]).toBe(conversation.id);
    inbox.close();
  });

  test('shows its unsent messages as failed, and removes them from the storage', async () => {
    const storage = createMemoryStorage();
    const { service, network, inbox, group, conversation } = await startWithGroup(true, {
      storage,
    });
    const open = inbox.open(conversation.id);
    await advanceTime(5 * second);
    network.overrideReply = (request) =>
      request === 'POST /v1/messages'
        ? { status: 400, body: { code: 'parameter_invalid' } }
        : undefined;
    open.send({ message: 'Refused before' }).catch(() => {});
    await advanceTime(5 * second);
    delete network.overrideReply;
    network.conditions.isOffline = true;
    network.cut();
    const sent = open.send({ message: 'Written offline' });
    const failed = expect(sent).rejects.toMatchObject({ code: 'not_found' });
    await advanceTime(minute);
    service.removeMember(group, 'ann');
    expect(storage.values.size).toBe(2);
    network.conditions.isOffline = false;
    inbox.reconnect();
    await advanceTime(minute);
    await failed;
    const { status, pending } = open.getSnapshot();
    expect([status, ...pending.map((one) => `${one.status} ${one.message}`)]).toEqual([
      'gone',
      'failed Refused before',
      'failed Written offline',
    ]);
    expect(storage.values.size).toBe(0);
    inbox.close();
  });
});
