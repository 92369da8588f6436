import { beforeAll, describe, expect, test } from '@jest/globals';
import { budgets } from '../../commands/cost/budgets.ts';
import { type Caller, maxGroups } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { operations } from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import {
  changeConversation,
  create,
  getConversation,
  getConversations,
  getMessage,
  removeConversation,
  send,
} from '../support/handlers/api-calls.ts';
import { person } from '../support/handlers/callers.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { listAcross } from '../support/handlers/list-across.ts';
import { seedConversations } from '../support/table/seed-conversations.ts';
import '../support/setup/use-table.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';

/** The client's connections. */
const connections = 50;

const named = (count: number, name = 'group') =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

describe('A contact with the maximum number of groups', () => {
  const groups = named(maxGroups);
  const member = person('greta', { groups });
  const last = groups.at(-1) ?? '';
  const each = 30;

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
  });

  test('has access to the conversations of each group', async () => {
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

  test('lists conversations with a call for each group, and with one call for a single group', async () => {
    const { reads, calls } = toMeasuredBudget(budgets['conversations/list'].all, maxGroups);
    // The two inboxes of greta are empty, and she has no flags.
    expect(await measureCost(getConversations(member))).toEqual({
      calls,
      reads: reads - 6,
      writes: 0,
    });
    const ofOne = getConversations(member, { group_id: last });
    expect(await measureCost(ofOne)).toEqual({ calls: 2, reads: 0.5, writes: 0 });
  });

  test('reads at most one page of each group, even for the largest page', async () => {
    const page = await getConversations(member, { limit: '100' });
    expect(page.data).toHaveLength(100);
    expect(usage.table_calls).toBe(
      toMeasuredBudget(budgets['conversations/list'].all, maxGroups).calls,
    );
    // Eleven entries of a group cost half a unit to one unit; a hundred would cost four.
    expect(usage.read_units).toBeLessThanOrEqual(maxGroups);
  });

  test('makes at most as many concurrent calls as connections', async () => {
    let underWay = 0;
    let most = 0;
    const wire = interceptHttp(async (_, goOn) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return goOn().finally(() => {
        underWay -= 1;
      });
    });
    await getConversations(member);
    await listAcross(member);
    await wire.calm();
    expect(most).toBe(connections);
  });

  test('lists messages across groups with a call for each group, and two with a cursor', async () => {
    const { id } = await create(person('henry', { groups }), { group_id: last });
    for (let n = 0; n < 12; n++) await send(person('henry', { groups }), id, `${n}`);
    await listAcross(member);
    const page = await listAcross(member);
    const inboxes = 2 + maxGroups;
    // Plus the messages, and the check of their conversation.
    expect(usage.table_calls).toBe(inboxes + 2);
    await listAcross(member, { starting_after: page.data[0]?.id ?? '' });
    expect(usage.table_calls).toBe(2 * inboxes + 2);
    await listAcross(member, { ending_before: page.data[5]?.id ?? '' });
    expect(usage.table_calls).toBe(inboxes + 3);
  });
});

describe('A contact with more groups than the maximum', () => {
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
