import { expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { listGroupMembers, retrieveGroup } from '../../../shared/contract/operations.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import {
  addMember,
  getMembers,
  makeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { newPeople } from '../../support/people/group-people.ts';
import '../../support/setup/use-table.ts';

async function groupOfFive() {
  const people = newPeople();
  const { ann, bob, carol, dora } = people;
  const [zoe] = people.crowd(1);
  if (!zoe) throw new Error('The fifth person is missing.');
  const { id } = await makeGroup(ann);
  for (const member of [dora, carol, bob, zoe]) await addMember(ann, id, member);
  return { ...people, zoe, id, inOrder: [ann, dora, carol, bob, zoe].map((one) => one.id) };
}

const idsOf = async (...call: Parameters<typeof getMembers>) => {
  const { data, has_more } = await getMembers(...call);
  return [...data.map(({ contact_id }) => contact_id), has_more];
};

test('Listing members returns them in the order in which they joined', async () => {
  const { bob, id, inOrder } = await groupOfFive();
  expect(await idsOf(bob, id)).toEqual([...inOrder, false]);
});

test('Members who were added in the same millisecond are listed in the order in which they were added', async () => {
  const { ann, bob, carol } = newPeople();
  jest.spyOn(clock, 'now').mockReturnValue(clock.now());
  const { id } = await makeGroup(ann);
  await addMember(ann, id, carol);
  await addMember(ann, id, bob);
  jest.restoreAllMocks();
  expect(await idsOf(bob, id)).toEqual([ann.id, carol.id, bob.id, false]);
});

test('Listing members returns pages in both directions, and accepts only the ids of current members as cursors', async () => {
  const { ann, bob, id, inOrder } = await groupOfFive();
  const [first, second, third, fourth] = inOrder;
  expect(await idsOf(bob, id, { limit: '2' })).toEqual([first, second, true]);
  const after = await idsOf(bob, id, { limit: '2', starting_after: second ?? '' });
  expect(after).toEqual([third, fourth, true]);
  const before = await idsOf(bob, id, { limit: '2', ending_before: fourth ?? '' });
  expect(before).toEqual([second, third, true]);
  await removeMember(ann, id, { id: second ?? '' });
  const call = { as: bob, path: { group_id: id }, query: { starting_after: second ?? '' } };
  expect(await refused(listGroupMembers, call)).toMatchObject({
    status: 400,
    param: 'starting_after',
  });
});

test('Retrieving a group or listing its members returns 404 to non-members, as for an unknown group', async () => {
  const { zoe, id } = await groupOfFive();
  const { ann: stranger } = newPeople();
  await removeMember(zoe, id, zoe);
  for (const as of [stranger, zoe, { ...stranger, groups: [id] }]) {
    for (const group_id of [id, 'grp_01KDWCN0C0VKK46NQ9SP3AXWAJ', 'team', 'grp_']) {
      for (const row of [listGroupMembers, retrieveGroup]) {
        expect(await refused(row, { as, path: { group_id } })).toEqual(notFoundError('group_id'));
      }
    }
  }
});
