import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { putGroupMember, updateSettings } from '../../../shared/contract/operations.ts';
import type { GroupRole } from '../../../shared/contract/resources/group.ts';
import { block } from '../../support/handlers/api-calls.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import {
  addMember,
  getGroup,
  getGroups,
  getMembers,
  putMember,
  refusedMember,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { groupOfThree } from '../../support/people/group-people.ts';
import { eraseContact, setGroupCount, setMemberCount } from '../../support/seeds/seed-groups.ts';
import { beforeFirstCall, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const rolesOf = async (as: Caller, id: string) =>
  Object.fromEntries(
    (await getMembers(as, id)).data.map(({ contact_id, role }) => [contact_id.split('-')[0], role]),
  );

describe('Adding a member', () => {
  test('returns 201 for a new member and 200 for an existing one', async () => {
    const { ann, dora, id } = await groupOfThree();
    const first = await putMember(ann, id, dora);
    expect(first).toMatchObject({ status: 201, body: { contact_id: dora.id, role: 'member' } });
    expect(await putMember(ann, id, dora)).toMatchObject({ status: 200, body: first.body });
    expect((await getGroups(dora)).data).toMatchObject([{ id, member_count: 4 }]);
  });

  test('without a role keeps an existing member’s role', async () => {
    const { ann, bob, id } = await groupOfThree();
    expect(await putMember(ann, id, bob)).toMatchObject({ status: 200, body: { role: 'admin' } });
  });

  test('twice concurrently adds the member once', async () => {
    const { ann, bob, dora, id } = await groupOfThree();
    beforeFirstCall(isTransaction, () => putMember(ann, id, dora));
    expect((await putMember(bob, id, dora)).status).toBe(200);
    expect(await getGroup(ann, id)).toMatchObject({ member_count: 4 });
  });

  test.each<[string, (owner: Caller, other: Caller) => Promise<unknown>]>([
    ['has blocked the caller', (owner, other) => block(other, owner.id)],
    ['is blocked by the caller', (owner, other) => block(owner, other.id)],
    ['was erased', (_, other) => eraseContact(other.id)],
    [
      'accepts groups from contacts only',
      (_, as) => ok(updateSettings, { as, body: { accept_groups_from: 'contacts' } }),
    ],
  ])('is refused if the contact %s, before or during the request', async (_, act) => {
    const { ann, bob, dora, id } = await groupOfThree();
    const error = { status: 403, code: 'not_addable', param: 'contact_id' };
    beforeFirstCall(isTransaction, () => act(ann, dora));
    expect(await refusedMember(ann, id, dora)).toMatchObject(error);
    expect(await refusedMember(ann, id, dora)).toMatchObject(error);
    expect(await rolesOf(bob, id)).not.toHaveProperty('dora');
  });

  test('is refused if the group has 1,000 members or the contact is in 300 groups', async () => {
    const { ann, dora, id } = await groupOfThree();
    await setGroupCount(dora.id, 300);
    expect(await refusedMember(ann, id, dora)).toMatchObject({
      status: 409,
      code: 'groups_exceeded',
    });
    await setGroupCount(dora.id, 299);
    await setMemberCount(id, 1000);
    expect(await refusedMember(ann, id, dora)).toMatchObject({ status: 409, code: 'group_full' });
    await setMemberCount(id, 999);
    expect((await putMember(ann, id, dora)).status).toBe(201);
  });

  test('with the id of a business returns 400', async () => {
    const { ann, id } = await groupOfThree();
    expect(await refusedMember(ann, id, { id: 'business:kiosk' })).toMatchObject({
      status: 400,
      param: 'contact_id',
    });
  });

  test('is not undone if the member blocks the owner later', async () => {
    const { ann, carol, id } = await groupOfThree();
    await block(carol, ann.id);
    expect(await getGroup(carol, id)).toMatchObject({ member_count: 3 });
    expect((await putMember(ann, id, carol, 'admin')).status).toBe(200);
  });
});

describe('In a group with owner ann, admin bob and member carol,', () => {
  type Name = 'ann' | 'bob' | 'carol' | 'dora';
  test.each<[Name, Name, GroupRole, number]>([
    ['ann', 'bob', 'owner', 200],
    ['ann', 'dora', 'owner', 201],
    ['bob', 'dora', 'member', 201],
    ['bob', 'dora', 'admin', 201],
    ['bob', 'dora', 'owner', 403],
    ['bob', 'carol', 'admin', 200],
    ['bob', 'carol', 'owner', 403],
    ['bob', 'ann', 'member', 403],
    ['bob', 'ann', 'owner', 403],
    ['bob', 'bob', 'member', 200],
    ['bob', 'bob', 'owner', 403],
    ['carol', 'dora', 'member', 403],
    ['carol', 'carol', 'admin', 403],
    ['dora', 'dora', 'member', 404],
    ['dora', 'carol', 'member', 404],
  ])('a request by %s to give %s the role %s returns %i', async (caller, target, role, status) => {
    const { id, ...people } = await groupOfThree();
    const before = await rolesOf(people.ann, id);
    expect((await putMember(people[caller], id, people[target], role)).status).toBe(status);
    const changed = status < 300 ? { [target]: role } : {};
    expect(await rolesOf(people.ann, id)).toEqual({ ...before, ...changed });
  });

  test('an admin who is removed during the request cannot add a member', async () => {
    const { ann, bob, dora, id } = await groupOfThree();
    beforeFirstCall(isTransaction, () => removeMember(ann, id, bob));
    expect(await refusedMember(bob, id, dora)).toEqual(notFoundError('group_id'));
    expect((await getGroups(dora)).data).toEqual([]);
  });

  test('an owner who was erased cannot change a role', async () => {
    const { ann, bob, dora, carol, id } = await groupOfThree();
    await addMember(ann, id, dora, 'owner');
    await eraseContact(dora.id);
    const path = { group_id: id, contact_id: carol.id };
    const call = { as: dora, path, body: { role: 'admin' } };
    expect(await refused(putGroupMember, call)).toMatchObject({ status: 403, code: 'not_allowed' });
    expect(await rolesOf(bob, id)).toMatchObject({ carol: 'member' });
  });
});

describe('The last owner', () => {
  test('cannot be demoted to member until another owner is appointed', async () => {
    const { ann, bob, id } = await groupOfThree();
    expect(await refusedMember(ann, id, ann, 'member')).toMatchObject({
      status: 409,
      code: 'last_owner',
    });
    await addMember(ann, id, bob, 'owner');
    expect((await putMember(ann, id, ann, 'member')).status).toBe(200);
    expect(await rolesOf(bob, id)).toMatchObject({ ann: 'member', bob: 'owner' });
  });

  test('remains if two owners demote themselves concurrently', async () => {
    const { ann, bob, id } = await groupOfThree();
    await addMember(ann, id, bob, 'owner');
    beforeFirstCall(isTransaction, () => putMember(bob, id, bob, 'member'));
    expect(await refusedMember(ann, id, ann, 'member')).toMatchObject({ code: 'last_owner' });
    expect(await rolesOf(bob, id)).toMatchObject({ ann: 'owner', bob: 'member' });
  });
});
