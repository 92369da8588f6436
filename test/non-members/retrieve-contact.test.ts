import { describe, expect, test } from '@jest/globals';
import { budgets } from '../../commands/cost/budgets.ts';
import { type Caller, maxGroups } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { retrieveContact } from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { create, getContact, removeConversation } from '../support/handlers/api-calls.ts';
import { notFoundError } from '../support/handlers/expected-errors.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { createTrio } from '../support/people/callers.ts';
import { seedConversations } from '../support/seeds/seed-conversations.ts';
import '../support/setup/use-table.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';

const budget = budgets['contacts/retrieve'];

/** A round ends this many milliseconds after its last reply, unless the handler makes a call. */
const pause = 25;

/**
 * Returns the read units and the table calls of a rejected request, grouped into rounds of
 * concurrent calls. The hook delays the replies of a round until the last reply arrives.
 */
async function measureRefusal(as: Caller, id: string) {
  const rounds: string[][] = [];
  let pendingCalls = 0;
  let round: { calls: string[]; releases: (() => void)[] } = { calls: [], releases: [] };
  const endRound = () => {
    if (pendingCalls > 0 || round.calls.length === 0) return;
    const { calls, releases } = round;
    round = { calls: [], releases: [] };
    // On a busy machine, a call may be retried.
    rounds.push([...new Set(calls)].sort());
    for (const go of releases) go();
  };
  const hook = interceptHttp(async ({ operation, body }, proceed) => {
    pendingCalls += 1;
    round.calls.push(`${operation} ${body.replaceAll(id, 'the contact')}`);
    const reply = await proceed().finally(() => {
      pendingCalls -= 1;
    });
    await new Promise<void>((go) => {
      round.releases.push(go);
      setTimeout(endRound, pause);
    });
    return reply;
  });
  const refusal = await refused(retrieveContact, { as, path: { contact_id: id } });
  await hook.remove();
  expect(refusal).toEqual(notFoundError('contact_id'));
  return { rounds, units: usage.read_units };
}

const groupsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

describe('A contact without a shared conversation is indistinguishable from a nonexistent one', () => {
  type Trio = ReturnType<typeof createTrio>;
  const write = (creator: Caller) => create(creator, { contact_id: creator.id });

  test.each<[string, (trio: Trio) => Promise<unknown>]>([
    ['has created a conversation', ({ xavier }) => write(xavier)],
    [
      'is in conversations with other users',
      ({ xavier, tina }) => create(tina, { contact_id: xavier.id }),
    ],
    [
      'is in the maximum number of groups',
      ({ xavier }) => write({ ...xavier, groups: groupsOf(maxGroups, xavier.id) }),
    ],
    [
      'is in a group of the caller that has no conversations',
      ({ xavier, team }) => write({ ...xavier, groups: [team] }),
    ],
    [
      'is the contact of a conversation in another group',
      async ({ xavier, tina }) => {
        const other = { ...tina, groups: [`${tina.id}-other`] };
        await create(other, { contact_id: xavier.id, group_id: `${tina.id}-other` });
      },
    ],
    [
      'shared a conversation with the caller until its deletion',
      async ({ cleo, xavier }) => {
        const { id } = await create(cleo, { contact_id: xavier.id });
        await removeConversation(xavier, id);
      },
    ],
  ])('if the contact %s', async (_, prepare) => {
    const trio = createTrio();
    await prepare(trio);
    const others = groupsOf(2, `${trio.cleo.id}-with-conversations`);
    for (const group_id of others) await create({ ...trio.cleo, groups: others }, { group_id });
    const otherGroupMember = { ...trio.tina, groups: [`${trio.team}-elsewhere`] };
    await create(otherGroupMember, {
      contact_id: trio.cleo.id,
      group_id: `${trio.team}-elsewhere`,
    });
    for (const groups of [[], [trio.team], [trio.team, ...others]]) {
      const caller = { ...trio.cleo, groups };
      const known = await measureRefusal(caller, trio.xavier.id);
      const unknown = await measureRefusal(caller, 'unknown');
      expect(known.rounds).toEqual(unknown.rounds);
      // The request reads only keys that can belong to the contact.
      expect(known.rounds.map((calls) => calls.length)).toEqual([3, 1 + 2 * groups.length]);
      // Reads of missing items are free on DynamoDB Local; AWS charges half a read unit.
      expect(known.units).toBeLessThanOrEqual(unknown.units + 0.5);
    }
  });
});

describe('The cost of retrieving a contact', () => {
  test('equals the budget for a contact in a direct conversation, a contact in a shared group, and the caller', async () => {
    const { cleo, xavier, tina, team } = createTrio();
    const groups = [team, `${team}-too`];
    const caller = { ...cleo, groups };
    await create({ ...xavier, groups }, { contact_id: cleo.id });
    for (const group_id of groups) await create({ ...tina, groups }, { group_id });
    expect(await measureCost(getContact(caller, xavier.id))).toEqual(
      toMeasuredBudget(budget.direct),
    );
    expect(await measureCost(getContact(caller, tina.id))).toEqual(
      toMeasuredBudget(budget.inGroup, 2),
    );
    expect(await measureCost(getContact(xavier, xavier.id))).toEqual(
      toMeasuredBudget(budget.oneself),
    );
  });

  test('is eleven table calls, including five for groups, for a caller in the maximum number of groups', async () => {
    const { cleo } = createTrio();
    const groups = groupsOf(maxGroups, cleo.id);
    const { rounds } = await measureRefusal({ ...cleo, groups }, 'unknown');
    expect(rounds.map((calls) => calls.length)).toEqual([3, 3, 5]);
  });

  test('includes one table call per group of the contact if the caller is the contact of many conversations', async () => {
    const { cleo, xavier, tina, team } = createTrio();
    await seedConversations(
      Array.from({ length: 200 }, (_, n) => ({
        created_by: tina.id,
        contact_id: cleo.id,
        group_id: n === 0 ? team : `a-${team}`,
        created_at: clock.now() + n,
      })),
    );
    for (const count of [2, maxGroups]) {
      const groups = [team, ...groupsOf(count - 1, `z-${team}-${count}`)];
      await create({ ...xavier, groups }, { contact_id: xavier.id });
      expect(await getContact(cleo, xavier.id)).toMatchObject({ id: xavier.id });
      expect(usage.table_calls).toBe(4 + count + 1);
    }

    const { rounds } = await measureRefusal(cleo, 'unknown');
    expect(rounds.map((calls) => calls.length)).toEqual([3, 1, 1, 1, 1]);
    expect(usage.read_units).toBeLessThanOrEqual(4);
  });
});
