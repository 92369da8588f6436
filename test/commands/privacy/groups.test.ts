import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eraseItems } from '../../../commands/privacy/erase/erase-items.ts';
import { exportPerson } from '../../../commands/privacy/export/export-person.ts';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { isDeleted } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  groupKey,
  membershipCountKey,
  membershipKey,
} from '../../../shared/table/keys/group-keys.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import {
  addMember,
  getGroup,
  getMembers,
  makeGroup,
  removeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { createTrio } from '../../support/people/callers.ts';
import { table, toErasure } from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const folder = temporaryFolder();

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
});

const erase = ({ id }: Caller) => eraseItems(toErasure(id));

const rolesOf = async (as: Caller, id: string) =>
  (await getMembers(as, id)).data.map(({ contact_id, role }) => [contact_id, role]);

const traces = async ({ id }: Caller, groupId: string) => [
  await getItem(membershipKey(id, groupId)),
  await getItem(membershipCountKey(id)),
];

describe('The erasure of a member', () => {
  test('removes their membership, membership count and messages, and keeps the group', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo, [xavier, tina]);
    const { id: conversation } = await create(cleo, { group_id: id });
    await send(xavier, conversation, 'Hello');
    const { erased, remaining } = await erase(xavier);
    expect(erased).toMatchObject({ memberships: 1, messages: 1 });
    expect(remaining).toEqual({});
    expect(await traces(xavier, id)).toEqual([undefined, undefined]);
    expect((await getGroup(cleo, id)).member_count).toBe(2);
  });

  test('promotes an admin if no owner remains, or a member if there is no admin either', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo, [xavier]);
    await addMember(cleo, id, tina, 'admin');
    await erase(cleo);
    expect(await rolesOf(tina, id)).toEqual([
      [xavier.id, 'member'],
      [tina.id, 'owner'],
    ]);
    await erase(tina);
    expect(await rolesOf(xavier, id)).toEqual([[xavier.id, 'owner']]);
    expect((await getGroup(xavier, id)).created_by).toBe(cleo.id);
    // The erasure has updated the owner count, so the last owner cannot leave.
    await expect(removeMember(xavier, id, xavier)).rejects.toThrow('last_owner');
  });

  test('promotes no one if another owner remains', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo, [xavier]);
    await addMember(cleo, id, tina, 'owner');
    await erase(cleo);
    expect(await rolesOf(tina, id)).toEqual([
      [xavier.id, 'member'],
      [tina.id, 'owner'],
    ]);
  });

  test('deletes a group without other members, and also removes the membership in an already deleted group', async () => {
    const { cleo } = createTrio();
    const [{ id: soleMember }, { id: deleted }] = [await makeGroup(cleo), await makeGroup(cleo)];
    await removeGroup(cleo, deleted);
    await erase(cleo);
    for (const id of [soleMember, deleted]) {
      expect(await traces(cleo, id)).toEqual([undefined, undefined]);
      const tombstone = (await getItem(groupKey(id))) ?? {};
      expect([isDeleted(tombstone), tombstone.member_count, tombstone.title]).toEqual([
        true,
        0,
        undefined,
      ]);
    }
  });
});

/** Returns the records of a person's export. */
async function exportRecords({ id }: Caller, narrow: boolean, groups: string[] = []) {
  const file = join(folder, `${id}-${narrow}.ndjson`);
  const copyFiles = async <One>(records: readonly One[]) => [...records];
  await exportPerson(
    {
      ...{ contactId: id, table, stageName: 'local', account: undefined, file },
      ...{ resume: false, groups, narrow, received: false, copyFiles, readUnits: 1_000_000 },
    },
    { print: () => {}, onProgress: () => {} },
  );
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
  return (kind: string) => records.filter((record) => record.kind === kind);
}

test('The export of a person contains their memberships, the groups that they created, and their groups’ conversations', async () => {
  const { cleo, xavier } = createTrio();
  const { id: own } = await makeGroup(cleo, [], 'Own');
  const { id: other } = await makeGroup(xavier, [cleo], 'Other');
  const { id: conversation } = await create(xavier, { group_id: other });
  for (const narrow of [false, true]) {
    const ofKind = await exportRecords(cleo, narrow);
    expect(ofKind('group')).toMatchObject([{ id: own, title: 'Own' }]);
    expect(new Map(ofKind('membership').map(({ group_id, role }) => [group_id, role]))).toEqual(
      new Map([
        [own, 'owner'],
        [other, 'member'],
      ]),
    );
    expect(ofKind('conversation')).toMatchObject([{ id: conversation, role: 'member' }]);
  }
});

test('The export of a person contains the conversations of only the named groups, even if more than 100 are named', async () => {
  const { cleo, xavier } = createTrio();
  const [named, other] = [`named-${xavier.id}`, `other-${xavier.id}`];
  const creator = { ...xavier, groups: [named, other] };
  const { id: conversation } = await create(creator, { group_id: named });
  await create(creator, { group_id: other });
  const groups = [...Array.from({ length: 100 }, (_, n) => `empty-${n}`), named];
  for (const narrow of [false, true]) {
    const ofKind = await exportRecords(cleo, narrow, groups);
    expect(ofKind('conversation')).toMatchObject([{ id: conversation }]);
  }
});
