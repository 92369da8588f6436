import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Budget, budgets } from '../../commands/cost/budgets.ts';
import { createGroup } from '../../shared/contract/operations.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import {
  addMember,
  changeGroup,
  getGroup,
  getGroups,
  getMembers,
  makeGroup,
  removeGroup,
  removeMember,
} from '../support/handlers/group-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { newPeople } from '../support/people/group-people.ts';
import '../support/setup/use-table.ts';

async function groupOfThree() {
  const people = newPeople();
  const { ann, bob, carol } = people;
  const { id } = await makeGroup(ann, [bob, carol]);
  return { ...people, id };
}

type Cast = Awaited<ReturnType<typeof groupOfThree>>;

const createOnce = ({ ann, dora }: Cast) =>
  ok(createGroup, {
    as: ann,
    headers: { 'Idempotency-Key': randomUUID() },
    body: { title: 'Two', members: [dora.id] },
  });

describe('Each operation on a group has the budgeted cost:', () => {
  test.each<[string, (cast: Cast) => Promise<unknown>, Budget]>([
    ['create', createOnce, budgets['groups/create'].ofTwo],
    ['list groups', ({ bob }) => getGroups(bob), budgets['groups/list'].one],
    ['retrieve', ({ bob, id }) => getGroup(bob, id), budgets['groups/retrieve'].known],
    [
      'update',
      ({ ann, id }) => changeGroup(ann, id, { title: 'New' }),
      budgets['groups/update'].title,
    ],
    ['delete', ({ ann, id }) => removeGroup(ann, id), budgets['groups/delete'].ofThree],
    ['list members', ({ bob, id }) => getMembers(bob, id), budgets['members/list'].three],
    ['add a member', ({ ann, dora, id }) => addMember(ann, id, dora), budgets['members/put'].new],
    [
      'remove a member',
      ({ ann, bob, id }) => removeMember(ann, id, bob),
      budgets['members/remove'].other,
    ],
  ])('%s', async (_, action, budget) => {
    expect(await measureCost(action(await groupOfThree()))).toEqual(toMeasuredBudget(budget));
  });
});
