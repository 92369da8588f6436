import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { createGroup, retrieveGroup, updateSettings } from '../../../shared/contract/operations.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { groupKey } from '../../../shared/table/keys/group-keys.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { membershipSortPrefix, sharedChangeAttribute } from '../../../shared/table/keys/names.ts';
import { block, create } from '../../support/handlers/api-calls.ts';
import {
  addMember,
  getGroup,
  getGroups,
  getMembers,
  makeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { newPeople } from '../../support/people/group-people.ts';
import { eraseContact, setGroupCount } from '../../support/seeds/seed-groups.ts';
import {
  beforeFirstCall,
  crashAtCall,
  interceptCalls,
  isTransaction,
} from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const idsOf = (people: readonly Caller[]) => people.map(({ id }) => id);
const creation = (as: Caller, members: readonly Caller[], key?: string) => ({
  as,
  body: { title: 'Lunch club', members: idsOf(members) },
  ...(key && { headers: { 'Idempotency-Key': key } }),
});
const acceptFromContacts = (as: Caller) =>
  ok(updateSettings, { as, body: { accept_groups_from: 'contacts' } });

describe('Creating a group', () => {
  test('makes the caller its owner and adds the contacts as members', async () => {
    const { ann, bob, carol } = newPeople();
    const created = await request(createGroup, {
      as: ann,
      body: {
        title: 'Lunch club',
        avatar_url: 'https://example.com/a.png',
        members: [bob.id, ann.id, carol.id, bob.id],
      },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^grp_[0-9A-Z]{26}$/),
        title: 'Lunch club',
        avatar_url: 'https://example.com/a.png',
        created_by: ann.id,
        member_count: 3,
      },
    });
    const { id } = Object(created.body);
    for (const as of [ann, bob, carol]) {
      const read = await request(retrieveGroup, { as, path: { group_id: id } });
      expect(read.body).toEqual(created.body);
      expect(read.headers.ETag).toBe(created.headers.ETag);
    }
    expect(created.headers.Location).toBe(`https://api.example.com/v1/groups/${id}`);
    const { data } = await getMembers(bob, id);
    expect(data.map(({ contact_id, role }) => [contact_id, role])).toEqual([
      [ann.id, 'owner'],
      [bob.id, 'member'],
      [carol.id, 'member'],
    ]);
  });

  test('adds up to 100 members besides the owner, and rejects a longer list', async () => {
    const { ann, crowd } = newPeople();
    const members = crowd(101);
    const { id, member_count } = await makeGroup(ann, members.slice(0, 100));
    expect(member_count).toBe(101);
    expect(await getGroup(person(members[99]?.id ?? ''), id)).toMatchObject({ member_count: 101 });
    expect(await refused(createGroup, creation(ann, members))).toMatchObject({
      status: 400,
      param: 'members',
    });
  });

  test('omits a contact who blocks the caller after the first members are added', async () => {
    const { ann, crowd } = newPeople();
    const members = crowd(30);
    const last = members.at(-1);
    if (!last) throw new Error('The members are missing.');
    let transactions = 0;
    beforeFirstCall(
      (call) => isTransaction(call) && ++transactions === 2,
      () => block(last, ann.id),
    );
    const { id } = await makeGroup(ann, members);
    expect(await getGroup(ann, id)).toMatchObject({ member_count: 30 });
    expect((await getGroups(last)).data).toEqual([]);
  });

  test('causes no group.updated event if all members of later transactions are erased', async () => {
    const { ann, crowd } = newPeople();
    const members = crowd(25);
    let transactions = 0;
    beforeFirstCall(
      (call) => isTransaction(call) && ++transactions === 2,
      () => Promise.all(members.map(({ id }) => eraseContact(id))),
    );
    const { id } = await makeGroup(ann, members);
    const item = await getItem(groupKey(id));
    expect(item).toMatchObject({ member_count: 24 });
    expect(item).not.toHaveProperty(sharedChangeAttribute);
  });
});

describe('Creating a group is refused and stores nothing', () => {
  const expectRefusal = async (as: Caller, members: Caller[], error: object) => {
    expect(await refused(createGroup, creation(as, members))).toMatchObject(error);
    expect((await getGroups(as)).data).toEqual([]);
    for (const member of members) expect((await getGroups(member)).data).toEqual([]);
  };

  test.each<[string, (ann: Caller, other: Caller) => Promise<unknown>]>([
    ['has blocked the caller', (ann, other) => block(other, ann.id)],
    ['is blocked by the caller', (ann, other) => block(ann, other.id)],
    ['was erased', (_, other) => eraseContact(other.id)],
    ['accepts groups from contacts only', (_, other) => acceptFromContacts(other)],
  ])('if a contact %s', async (_, act) => {
    const { ann, bob, carol, dora } = newPeople();
    await act(ann, dora);
    await expectRefusal(ann, [bob, carol, dora], {
      status: 403,
      code: 'not_addable',
      param: 'members[2]',
    });
  });

  test('if a contact is in 300 groups', async () => {
    const { ann, bob, carol } = newPeople();
    await setGroupCount(carol.id, 300);
    await expectRefusal(ann, [bob, carol], {
      status: 409,
      code: 'groups_exceeded',
      param: 'members[1]',
    });
  });

  test('if the caller is in 300 groups', async () => {
    const { ann, bob } = newPeople();
    await setGroupCount(ann.id, 300);
    await expectRefusal(ann, [bob], { status: 409, code: 'groups_exceeded', param: null });
  });

  test('if the caller was erased', async () => {
    const { ann, bob } = newPeople();
    await eraseContact(ann.id);
    await expectRefusal(ann, [bob], { status: 403, code: 'not_allowed' });
  });

  test('if a contact blocks the caller during the request', async () => {
    const { ann, bob } = newPeople();
    beforeFirstCall(isTransaction, () => block(bob, ann.id));
    await expectRefusal(ann, [bob], { status: 403, code: 'not_addable', param: 'members[0]' });
  });
});

describe('A contact who accepts groups only from contacts', () => {
  test('can be added by a contact with whom they share a direct conversation', async () => {
    const { ann, bob } = newPeople();
    await acceptFromContacts(bob);
    await create(bob, { contact_id: ann.id });
    expect(await makeGroup(ann, [bob])).toMatchObject({ member_count: 2 });
  });

  test('can be added by a fellow member of a token group', async () => {
    const { ann, bob } = newPeople();
    await acceptFromContacts({ ...bob, groups: ['team'] });
    expect(await makeGroup({ ...ann, groups: ['team'] }, [bob])).toMatchObject({ member_count: 2 });
  });

  test('can be added by a fellow member of a user group', async () => {
    const { ann, bob, carol } = newPeople();
    await makeGroup(carol, [ann, bob]);
    await acceptFromContacts(bob);
    expect(await makeGroup(ann, [bob])).toMatchObject({ member_count: 2 });
  });
});

test('Adding several contacts who accept groups only from contacts reads the caller’s memberships once', async () => {
  const { ann, bob, carol, dora } = newPeople();
  const contacts = [bob, carol, dora];
  await makeGroup(ann, contacts);
  for (const contact of contacts) await acceptFromContacts(contact);
  const queries: string[] = [];
  interceptCalls(async ({ operation, input }, proceed) => {
    const text = JSON.stringify(input);
    if (operation === 'Query' && text.includes(membershipSortPrefix)) queries.push(text);
    await proceed();
  });
  expect(await makeGroup(ann, contacts)).toMatchObject({ member_count: 4 });
  expect(queries.filter((text) => text.includes(contactKey(ann.id).pk))).toHaveLength(1);
  expect(queries).toHaveLength(4);
});

describe('Creating a group with an Idempotency-Key', () => {
  test('creates one group for repeated and concurrent requests', async () => {
    const { ann, bob } = newPeople();
    const call = creation(ann, [bob], 'once');
    const replies = await Promise.all([1, 2, 3].map(() => request(createGroup, call)));
    const succeeded = replies.filter(({ status }) => status === 201);
    const last = await request(createGroup, call);
    expect(last.headers['Idempotent-Replayed']).toBe('true');
    for (const { body, headers } of succeeded) {
      expect(body).toEqual(last.body);
      expect(headers.ETag).toBe(last.headers.ETag);
    }
    expect((await getGroups(ann)).data).toHaveLength(1);
  });

  test('adds the remaining members on a retry after a crash, but not a member who has since left', async () => {
    const { ann, crowd } = newPeople();
    const members = crowd(60);
    const [first] = members;
    if (!first) throw new Error('The members are missing.');
    const call = creation(ann, members, 'midway');
    // The first five calls read the idempotency record, store the contact, read the candidates (two
    // calls), and store the group with its first members.
    const restore = crashAtCall(6, 'before');
    expect((await request(createGroup, call)).status).toBe(503);
    restore();
    const [group] = (await getGroups(ann)).data;
    if (!group) throw new Error('The group was not created.');
    expect(group.member_count).toBeGreaterThan(1);
    expect(group.member_count).toBeLessThan(61);
    await removeMember(first, group.id, first);

    const again = await request(createGroup, call);

    expect(again).toMatchObject({ status: 201, body: { id: group.id, member_count: 61 } });
    expect(await getGroup(ann, group.id)).toMatchObject({ member_count: 60 });
    expect((await getGroups(first)).data).toEqual([]);
  });

  /** Requests a group with 30 members, and crashes the function after it adds the first members. */
  async function createMidway(idempotencyKey: string) {
    const { ann, crowd } = newPeople();
    const members = crowd(30);
    const call = creation(ann, members, idempotencyKey);
    const restore = crashAtCall(6, 'before');
    await request(createGroup, call);
    restore();
    const [group] = (await getGroups(ann)).data;
    const [added, remaining] = [members[0], members.at(-1)];
    if (!group || !added || !remaining) throw new Error('The group or its members are missing.');
    return { ann, group, added, remaining, call };
  }

  test('adds the remaining members on a retry even if another request has added one of them', async () => {
    const { ann, group, remaining, call } = await createMidway('added');
    await addMember(ann, group.id, remaining, 'admin');

    expect(await request(createGroup, call)).toMatchObject({ status: 201 });
    expect(await getGroup(ann, group.id)).toMatchObject({ member_count: 31 });
  });

  test('adds no further members on a retry if the owner was demoted to member', async () => {
    const { ann, group, added, call } = await createMidway('demoted');
    await addMember(ann, group.id, added, 'owner');
    await addMember(ann, group.id, ann, 'member');

    expect(await request(createGroup, call)).toMatchObject({ status: 201 });
    expect(await getGroup(ann, group.id)).toMatchObject({ member_count: group.member_count });
  });
});
