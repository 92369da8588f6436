import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import {
  deleteGroup,
  putGroupMember,
  removeGroupMember,
} from '../../../shared/contract/operations.ts';
import {
  groupRoles,
  maxGroupMembers,
  maxGroupsOfPerson,
} from '../../../shared/contract/resources/group.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { parseGroup } from '../../../shared/table/groups/group-item.ts';
import { getMembership } from '../../../shared/table/groups/membership.ts';
import {
  groupKey,
  membershipCountKey,
  membershipKey,
} from '../../../shared/table/keys/group-keys.ts';
import { makeGroup } from '../../support/handlers/group-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { newPeople } from '../../support/people/group-people.ts';
import { setGroupCount, setMemberCount } from '../../support/seeds/seed-groups.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import '../../support/setup/use-table.ts';

const personIndex = fc.nat(4);
const change = fc.record({
  act: fc.oneof(
    { arbitrary: fc.constant('put' as const), weight: 6 },
    { arbitrary: fc.constant('remove' as const), weight: 5 },
    { arbitrary: fc.constant('delete' as const), weight: 1 },
  ),
  group: fc.nat(1),
  by: personIndex,
  target: personIndex,
  role: fc.option(fc.constantFrom(...groupRoles), { nil: undefined }),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
/** Rounds of concurrent changes. */
const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 6,
});

/** Changes that together return every status, in the order 201, 201, 409, 200, 404 and 403. */
const withEveryStatus: Change[][] = [
  { act: 'put' as const, by: 0, target: 2 },
  { act: 'put' as const, by: 0, target: 3 },
  { act: 'put' as const, by: 0, target: 4 },
  { act: 'put' as const, by: 0, target: 2 },
  { act: 'put' as const, by: 4, target: 2 },
  { act: 'remove' as const, by: 2, target: 1 },
].map((one) => [{ ...one, group: 0, role: undefined }]);

/**
 * Numbers added to the stored counts of members and groups, so that a few changes reach the limits.
 */
const otherMembers = maxGroupMembers - 4;
const otherGroups = maxGroupsOfPerson - 1;

const Counted = v.object({ group_count: v.number() });

async function run(people: readonly Caller[], groups: readonly string[], one: Change) {
  const [as, member] = [people[one.by], people[one.target]];
  const group_id = groups[one.group] ?? '';
  if (!as || !member) throw new Error('A person is missing.');
  if (one.act === 'delete') return request(deleteGroup, { as, path: { group_id } });
  const path = { group_id, contact_id: member.id };
  return one.act === 'remove'
    ? request(removeGroupMember, { as, path })
    : request(putGroupMember, { as, path, body: one.role ? { role: one.role } : {} });
}

describe('After concurrent additions, removals, role changes and deletions,', () => {
  test('counts match the memberships, an owner remains, and no limit is exceeded', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const { ann, bob, carol, dora, crowd } = newPeople();
        const people = [ann, bob, carol, dora, ...crowd(1)];
        const groups = [(await makeGroup(ann, [bob])).id, (await makeGroup(bob, [ann])).id];
        for (const id of groups) await setMemberCount(id, otherMembers + 2);
        // Dora can join only one of the two groups.
        await setGroupCount(dora.id, otherGroups);
        for (const round of all) {
          const replies = await Promise.all(round.map((one) => run(people, groups, one)));
          for (const { status } of replies) statuses.add(status);
          await checkCounts(people, groups, dora);
        }
      }),
      { numRuns: selectSize(8, 150), examples: [[withEveryStatus]] },
    );
    expect([...statuses].sort()).toEqual([200, 201, 403, 404, 409]);
  }, 300_000);
});

/** Checks counts, limits and owners. A person's count includes memberships not yet purged. */
async function checkCounts(people: readonly Caller[], groups: readonly string[], dora: Caller) {
  for (const id of groups) {
    const found = await Promise.all(people.map((one) => getMembership(one.id, id)));
    const members = found.filter((one) => one !== undefined);
    const group = parseGroup(await getItem(groupKey(id)));
    if (!group) continue;
    const owners = members.filter(({ role }) => role === 'owner').length;
    expect(group).toMatchObject({
      member_count: otherMembers + members.length,
      owner_count: owners,
    });
    expect(owners).toBeGreaterThan(0);
    expect(group.member_count).toBeLessThanOrEqual(maxGroupMembers);
  }
  for (const { id } of people) {
    const stored = await getItem(membershipCountKey(id));
    const { group_count } = stored ? v.parse(Counted, stored) : { group_count: 0 };
    const own = await Promise.all(groups.map((group) => getItem(membershipKey(id, group))));
    const count = own.filter((item) => item !== undefined).length;
    expect(group_count).toBe((id === dora.id ? otherGroups : 0) + count);
    expect(group_count).toBeLessThanOrEqual(maxGroupsOfPerson);
  }
}
