import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, maxGroups } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import {
  listEvents,
  operations,
  retrieveContact,
  retrieveLive,
} from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { measureCost } from '../commands/cost/measure-budget.ts';
import {
  changeConversation,
  create,
  getConversation,
  getConversations,
  getMessage,
  removeConversation,
  send,
} from '../support/handlers/api-calls.ts';
import { ok, refused, request } from '../support/handlers/invoke-handler.ts';
import { listAcross } from '../support/handlers/list-across.ts';
import { getLiveCursor } from '../support/handlers/list-events.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { person } from '../support/people/callers.ts';
import { seedConversations } from '../support/seeds/seed-conversations.ts';
import { publishAll } from '../support/workers/live-worker.ts';
import '../support/setup/use-table.ts';

const named = (count: number, name = 'group') =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

describe('A contact with the maximum number of groups', () => {
  const groups = named(maxGroups);
  const member = person('greta', { groups });
  const last = groups.at(-1) ?? '';
  const each = 30;
  let firstList: Awaited<ReturnType<typeof measureCost>>;

  beforeAll(async () => {
    const created_at = clock.now() - 1_000_000;
    await seedConversations(
      groups.flatMap((group_id, group) =>
        Array.from({ length: each }, (_, n) => ({
          created_by: 'henry',
          group_id,
          created_at: created_at + n * maxGroups + group,
        })),
      ),
    );
    // The first list derives the heads. The second list is measured.
    await getConversations(member);
    firstList = await measureCost(getConversations(member));
  });

  test('has access to the conversations of the last group in the token', async () => {
    const { id } = await create(member, { group_id: last });
    const sent = await send(person('henry', { groups }), id, 'to all hundred');
    expect(await getMessage(member, sent.id)).toMatchObject({ message: 'to all hundred' });
    expect((await listAcross(member)).data[0]).toMatchObject({ id: sent.id });
    expect((await getConversations(member, { limit: '1' })).data).toEqual([
      await getConversation(member, id),
    ]);
    await changeConversation(member, id, { is_muted: true });
    expect((await getConversations(member, { muted: 'true' })).data).toEqual([
      await getConversation(member, id),
    ]);
    await removeConversation(member, id);
    expect((await listAcross(member)).data.map(({ id }) => id)).not.toContain(sent.id);
  });

  test('lists conversations with one call for all heads and one call per group on the page; a list of a single group takes two calls', async () => {
    // Table calls: one for memberships, one for the heads, two for empty inboxes, one for each
    // group of the ten conversations and of the next conversation, and one for Greta's
    // flags (none).
    expect(firstList).toEqual({
      ...{ calls: 1 + 1 + 2 + 11 + 1, reads: maxGroups / 2 + 11 / 2, writes: 0 },
    });
    const ofOne = getConversations(member, { group_id: last });
    expect(await measureCost(ofOne)).toEqual({ calls: 2, reads: 0.5, writes: 0 });
  });

  test('reads one short page of each group, even for a list page of the maximum size', async () => {
    const page = await getConversations(member, { limit: '100' });
    expect(page.data).toHaveLength(100);
    expect(usage.table_calls).toBe(1 + 1 + 2 + maxGroups + 1);
    // Eleven entries of a group cost half a read unit to one read unit; a hundred would cost four.
    expect(usage.read_units).toBeLessThanOrEqual(maxGroups / 2 + maxGroups);
  });

  test('lists messages across groups with one call for all heads and one call for each of ten groups', async () => {
    const { id } = await create(person('henry', { groups }), { group_id: last });
    for (let n = 0; n < 12; n++) await send(person('henry', { groups }), id, `${n}`);
    const page = await listAcross(member);
    // One call for memberships, one for the heads, ten for the first ten inboxes, one for the
    // messages, and one for the access check of their conversation.
    expect(usage.table_calls).toBe(1 + 1 + 10 + 2);
    const [first, sixth] = [page.data[0]?.id ?? '', page.data[5]?.id ?? ''];
    await listAcross(member, { starting_after: first });
    expect(usage.table_calls).toBeLessThanOrEqual(1 + 1 + 2 * 10 + 2);
    // Only one group has messages that are newer than the sixth message of the page.
    await listAcross(member, { ending_before: sixth });
    expect(usage.table_calls).toBe(1 + 1 + 3 + 3);
  });
});

describe('With the maximum number of groups,', () => {
  /** Maximum number of calls, not counting those for active groups. */
  const baselineCount = 11;

  test.each([
    ['none was ever active', 0],
    ['ten are active', 10],
    ['all are active', maxGroups],
  ])(
    'if %s, each request makes at most eleven calls, plus two per active group',
    async (_, active) => {
      const groups = named(maxGroups, `of-${active}`);
      const [member, author] = [person(`mo-${active}`, { groups }), person('arthur', { groups })];
      // The first list and the first retrieval of channels derive the heads for all members.
      const reader = person('first', { groups });
      const first = await measureCost(getConversations(reader));
      expect(first).toEqual({ calls: 1 + 1 + 2 * maxGroups + 2, reads: 0, writes: maxGroups });
      await ok(retrieveLive, { as: reader });
      const starting_after = await getLiveCursor(member);
      for (const group_id of groups.slice(0, active)) {
        const { id } = await create(author, { group_id });
        await send(author, id, 'Hello');
      }
      await publishAll();

      const requests: [string, () => Promise<unknown>][] = [
        ['conversations', () => getConversations(member)],
        ['a large page of conversations', () => getConversations(member, { limit: '100' })],
        ['messages', () => listAcross(member)],
        [
          'new events',
          () => ok(listEvents, { as: member, query: { starting_after, limit: '100' } }),
        ],
        ['all events', () => ok(listEvents, { as: member, query: { limit: '100' } })],
        ['channels', () => ok(retrieveLive, { as: member })],
        [
          'a contact',
          () => request(retrieveContact, { as: member, path: { contact_id: 'arthur' } }),
        ],
      ];
      const costs: Record<string, number> = {};
      for (const [name, action] of requests) costs[name] = (await measureCost(action())).calls;
      const withinLimit = Object.entries(costs).map(([name, calls]) => [
        name,
        calls <= baselineCount + 2 * active,
      ]);
      expect([costs, Object.fromEntries(withinLimit)]).toEqual([
        costs,
        Object.fromEntries(requests.map(([name]) => [name, true])),
      ]);
      expect(costs).toMatchObject({ channels: 4, 'a contact': active > 0 ? 12 : 11 });
    },
  );

  test('if all groups were last active over ten minutes ago, a page reads only the groups that it shows and the next one', async () => {
    const virtual = createVirtualClock();
    const groups = named(maxGroups, 'earlier');
    const author = person('arthur', { groups });
    for (const group_id of groups) {
      await create(author, { group_id });
      virtual.pass(11 * 60_000);
    }
    const { data } = await getConversations(author);
    expect(data.map(({ group_id }) => group_id)).toEqual(groups.slice(-10).reverse());
    // Calls for memberships, the heads, two inboxes, eleven groups and the flags.
    expect(usage.table_calls).toBe(1 + 1 + 2 + 11 + 1);
  });
});

describe('For a contact with more groups than the maximum,', () => {
  const member: Caller = person('gustav', { groups: named(maxGroups + 1) });

  test.each(operations.map((row) => [row.id, row] as const))(
    '%s is rejected without a table call',
    async (_, row) => {
      expect(await refused(row, { as: member })).toEqual({
        status: 403,
        type: 'invalid_request',
        code: 'too_many_groups',
        param: null,
        message: `The token names more than ${maxGroups} groups. Configure the identity provider to include only groups whose conversations the app shows.`,
      });
      expect(usage.table_calls).toBe(0);
    },
  );
});
