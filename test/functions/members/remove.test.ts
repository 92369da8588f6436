import { describe, expect, test } from '@jest/globals';
import { retrieveGroup } from '../../../shared/contract/operations.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import {
  addMember,
  getGroup,
  getGroups,
  getMembers,
  putMember,
  refusedRemoval,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { groupOfThree } from '../../support/people/group-people.ts';
import { setGroupCount } from '../../support/seeds/seed-groups.ts';
import { beforeFirstCall, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

describe('Removing a member', () => {
  test('hides the group from the contact immediately', async () => {
    const { ann, bob, carol, id } = await groupOfThree();
    expect(await removeMember(bob, id, carol)).toEqual({ id: carol.id, deleted: true });
    expect(await refused(retrieveGroup, { as: carol, path: { group_id: id } })).toEqual(
      notFoundError('group_id'),
    );
    expect((await getGroups(carol)).data).toEqual([]);
    expect(await getGroup(ann, id)).toMatchObject({ member_count: 2 });
    expect((await getMembers(ann, id)).data).toHaveLength(2);
    expect(await refusedRemoval(ann, id, carol)).toEqual(notFoundError('contact_id'));
  });

  test('allows the contact to be added again, even if they were in 300 groups', async () => {
    const { ann, carol, id } = await groupOfThree();
    await setGroupCount(carol.id, 300);
    await removeMember(ann, id, carol);
    expect((await putMember(ann, id, carol)).status).toBe(201);
    expect(await getGroup(carol, id)).toMatchObject({ member_count: 3 });
  });

  type Name = 'ann' | 'bob' | 'carol' | 'dora';
  test.each<[Name, Name, number]>([
    ['ann', 'bob', 200],
    ['bob', 'carol', 200],
    ['bob', 'ann', 403],
    ['carol', 'bob', 403],
    ['carol', 'ann', 403],
    ['bob', 'bob', 200],
    ['carol', 'carol', 200],
    ['ann', 'dora', 404],
    ['carol', 'dora', 404],
    ['dora', 'carol', 404],
    ['dora', 'dora', 404],
  ])(
    'depends on the roles (owner ann, admin bob, member carol): %s removing %s returns %i',
    async (caller, target, status) => {
      const { id, ...people } = await groupOfThree();
      const removal =
        status === 200
          ? removeMember(people[caller], id, people[target]).then(() => ({ status: 200 }))
          : refusedRemoval(people[caller], id, people[target]);
      expect((await removal).status).toBe(status);
      expect(await getGroup(people.ann, id)).toMatchObject({
        member_count: status === 200 ? 2 : 3,
      });
    },
  );

  test('by an admin is refused if the admin is removed during the request', async () => {
    const { ann, bob, carol, id } = await groupOfThree();
    beforeFirstCall(isTransaction, () => removeMember(ann, id, bob));
    expect(await refusedRemoval(bob, id, carol)).toEqual(notFoundError('group_id'));
    expect(await getGroup(carol, id)).toMatchObject({ member_count: 2 });
  });

  test('twice concurrently reduces the member count by one', async () => {
    const { ann, bob, carol, id } = await groupOfThree();
    beforeFirstCall(isTransaction, () => removeMember(carol, id, carol));
    expect(await refusedRemoval(bob, id, carol)).toEqual(notFoundError('contact_id'));
    expect(await getGroup(ann, id)).toMatchObject({ member_count: 2 });
  });

  test('by an admin is refused if the member becomes an owner during the request', async () => {
    const { ann, bob, carol, id } = await groupOfThree();
    beforeFirstCall(isTransaction, () => addMember(ann, id, carol, 'owner'));
    expect(await refusedRemoval(bob, id, carol)).toMatchObject({ status: 403 });
    expect(await getGroup(carol, id)).toMatchObject({ member_count: 3 });
  });
});

describe('The last owner', () => {
  test('cannot leave without appointing another owner', async () => {
    const { ann, bob, id } = await groupOfThree();
    expect(await refusedRemoval(ann, id, ann)).toMatchObject({ status: 409, code: 'last_owner' });
    await addMember(ann, id, bob, 'owner');
    await removeMember(ann, id, ann);
    expect(await getGroup(bob, id)).toMatchObject({ member_count: 2 });
  });

  test('remains if both owners leave concurrently', async () => {
    const { ann, bob, id } = await groupOfThree();
    await addMember(ann, id, bob, 'owner');
    beforeFirstCall(isTransaction, () => removeMember(bob, id, bob));
    expect(await refusedRemoval(ann, id, ann)).toMatchObject({ code: 'last_owner' });
    expect(await getGroup(ann, id)).toMatchObject({ member_count: 2 });
  });
});
