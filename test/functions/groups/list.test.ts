import { expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { listGroups } from '../../../shared/contract/operations.ts';
import {
  getGroups,
  makeGroup,
  removeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { newPeople } from '../../support/people/group-people.ts';
import '../../support/setup/use-table.ts';

async function memberOfFive() {
  const { ann, bob } = newPeople();
  const now = clock.now();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    jest.spyOn(clock, 'now').mockReturnValue(now + n);
    ids.unshift((await makeGroup(ann, [bob], `Group ${n}`)).id);
  }
  jest.restoreAllMocks();
  return { ann, bob, ids };
}

const titlesOf = async (...call: Parameters<typeof getGroups>) => {
  const { data, has_more } = await getGroups(...call);
  return [...data.map(({ title }) => title), has_more];
};

test('Listing groups returns the caller’s groups, newest first', async () => {
  const { ann, bob, ids } = await memberOfFive();
  const { dora } = newPeople();
  await removeMember(bob, ids[1] ?? '', bob);
  expect(await titlesOf(bob)).toEqual(['Group 4', 'Group 2', 'Group 1', 'Group 0', false]);
  expect((await getGroups(ann)).data).toHaveLength(5);
  expect(await titlesOf({ ...dora, groups: ['team'] })).toEqual([false]);
});

test('Listing groups returns pages in both directions', async () => {
  const { bob, ids } = await memberOfFive();
  expect(await titlesOf(bob, { limit: '2' })).toEqual(['Group 4', 'Group 3', true]);
  const after = { limit: '2', starting_after: ids[1] ?? '' };
  expect(await titlesOf(bob, after)).toEqual(['Group 2', 'Group 1', true]);
  const before = { limit: '2', ending_before: ids[4] ?? '' };
  expect(await titlesOf(bob, before)).toEqual(['Group 2', 'Group 1', true]);
  // A group's position is its id, so the id remains valid as a cursor after the member has left.
  await removeMember(bob, ids[1] ?? '', bob);
  expect(await titlesOf(bob, after)).toEqual(['Group 2', 'Group 1', true]);
});

test('Listing groups omits deleted groups and still fills the page', async () => {
  const { ann, bob, ids } = await memberOfFive();
  await removeGroup(ann, ids[0] ?? '');
  await removeGroup(ann, ids[2] ?? '');
  expect(await titlesOf(bob, { limit: '2' })).toEqual(['Group 3', 'Group 1', true]);
  expect(await titlesOf(bob, { limit: '3' })).toEqual(['Group 3', 'Group 1', 'Group 0', false]);
});

test('Listing groups rejects a cursor that is not a group id', async () => {
  const { ann } = newPeople();
  expect(await refused(listGroups, { as: ann, query: { starting_after: 'team' } })).toMatchObject({
    status: 400,
    param: 'starting_after',
  });
});
