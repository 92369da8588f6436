import { describe, expect, test } from '@jest/globals';
import {
  deleteGroup,
  listGroupMembers,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import {
  addMember,
  changeGroup,
  getGroup,
  getGroups,
  makeGroup,
  removeGroup,
} from '../../support/handlers/group-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { newPeople } from '../../support/people/group-people.ts';
import { beforeFirstCall, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

async function groupOfTwo() {
  const people = newPeople();
  const { id } = await makeGroup(people.ann, [people.bob]);
  return { ...people, id, path: { group_id: id } };
}

describe('Deleting a group', () => {
  test('makes every later operation on it return 404', async () => {
    const { ann, bob, dora, id, path } = await groupOfTwo();
    expect(await removeGroup(ann, id)).toEqual({ id, deleted: true });
    const memberPath = { group_id: id, contact_id: dora.id };
    for (const as of [ann, bob]) {
      const refusals = [
        refused(retrieveGroup, { as, path }),
        refused(updateGroup, { as, path, body: { title: 'New' } }),
        refused(deleteGroup, { as, path }),
        refused(listGroupMembers, { as, path }),
        refused(putGroupMember, { as, path: memberPath, body: {} }),
        refused(removeGroupMember, { as, path: { group_id: id, contact_id: as.id } }),
      ];
      expect(await Promise.all(refusals)).toEqual(refusals.map(() => notFoundError('group_id')));
      expect((await getGroups(as)).data).toEqual([]);
    }
  });

  test('with If-Match succeeds only if the ETag is current', async () => {
    const { ann, id, path } = await groupOfTwo();
    const { headers } = await request(retrieveGroup, { as: ann, path });
    const call = { as: ann, path, headers: { 'If-Match': headers.ETag ?? '' } };
    beforeFirstCall(isTransaction, () => changeGroup(ann, id, { title: 'New' }));
    expect((await request(deleteGroup, call)).status).toBe(412);
    const now = await request(retrieveGroup, { as: ann, path });
    const again = { ...call, headers: { 'If-Match': now.headers.ETag ?? '' } };
    expect((await request(deleteGroup, again)).status).toBe(200);
  });

  test('is refused if the owner is demoted to member during the request', async () => {
    const { ann, bob, id, path } = await groupOfTwo();
    await addMember(ann, id, bob, 'owner');
    beforeFirstCall(isTransaction, () => addMember(bob, id, ann, 'member'));
    expect((await refused(deleteGroup, { as: ann, path })).status).toBe(403);
    expect(await getGroup(ann, id)).toMatchObject({ id });
  });
});

test('Adding a member is refused if the group is deleted during the request', async () => {
  const { ann, dora, id, path } = await groupOfTwo();
  beforeFirstCall(isTransaction, () => removeGroup(ann, id));
  const call = { as: ann, path: { ...path, contact_id: dora.id }, body: {} };
  expect(await refused(putGroupMember, call)).toEqual(notFoundError('group_id'));
  expect((await getGroups(dora)).data).toEqual([]);
});
