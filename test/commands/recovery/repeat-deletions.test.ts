import { beforeEach, expect, jest, test } from '@jest/globals';
import { createRecoveryTools } from '../../../commands/recovery/recovery-tools.ts';
import { repeatDeletions } from '../../../commands/recovery/repeat-deletions.ts';
import { repeatDeletionsAndErasures } from '../../../commands/recovery/repeat-deletions-and-erasures.ts';
import { getItems } from '../../../commands/stage/batch-items.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import {
  groupKey,
  membershipCountKey,
  membershipKey,
} from '../../../shared/table/keys/group-keys.ts';
import {
  contactKey,
  conversationKey,
  purgePartition,
  toActivitySortKey,
} from '../../../shared/table/keys/keys.ts';
import {
  create,
  getConversation,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { getGroup, getGroups, getMembers, makeGroup } from '../../support/handlers/group-calls.ts';
import { ann, person } from '../../support/people/callers.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import { purgeKey } from '../../support/workers/purge-worker.ts';
import { createTableWith } from '../privacy/restore-items.ts';
import '../../support/setup/use-table.ts';

beforeEach(emptyTable);

const restored = openTable(env('TABLE_NAME'));
const old = 'the-table-in-which-people-went-on';
const noCounts = { conversations: 0, groups: 0, memberships: 0, retainedIn: [] };

test('Only the conversations deleted after the restore point are deleted again in the restored table', async () => {
  const member = person('ann', { groups: ['team'] });
  const { id: retained } = await create(ann, { contact_id: 'bob' });
  const { id: missing } = await create(ann, { contact_id: 'bob' });
  const { id: deleted } = await create(member, { group_id: 'team' });
  await send(ann, missing, 'Hello');
  const { id: before } = await create(ann, { contact_id: 'bob' });
  await removeConversation(ann, before);
  await createTableWith(old, toOldItems({ [retained]: {}, [deleted]: { deleted_at: 1 } }));

  const printed: string[] = [];
  const tools = { table: openTable, now: () => 7, print: (line: string) => printed.push(line) };
  const rerun = () => repeatDeletions(tools, { old, restored: restored.name });
  expect(await rerun()).toEqual({ ...noCounts, conversations: 2 });
  expect(printed).toEqual(['  3 conversations checked, 2 deleted again']);

  const stored = async (id: string) => (await getItems(restored, [conversationKey(id)]))[0];
  expect(await stored(retained)).toMatchObject({ id: retained, created_by: 'ann' });
  // The item that an ordinary deletion leaves.
  const tombstone = await stored(before);
  for (const id of [missing, deleted]) {
    expect(await stored(id)).toEqual({
      ...tombstone,
      ...conversationKey(id),
      gsi1pk: purgePartition(id),
      activity: toActivitySortKey(7, id),
      deleted_at: 7,
      deletion: expect.any(String),
    });
  }
  expect(await rerun()).toEqual(noCounts);
});

/** Returns conversations of the old table with the attributes that the command reads. */
const toOldItems = (conversations: Record<string, object>) =>
  Object.entries(conversations).map(([id, more]) => ({ ...conversationKey(id), ...more }));

test('Group deletions and member removals made after the restore point are repeated', async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  const [owner, bob, cleo] = [person('ann'), person('bob'), person('cleo')];
  const { id: deleted } = await makeGroup(owner, [bob]);
  const { id: missing } = await makeGroup(owner);
  const { id: departed } = await makeGroup(owner, [bob, cleo]);
  const { id: ownerless } = await makeGroup(owner);
  const { id: unchanged } = await makeGroup(owner, [bob]);
  const name = 'the-table-with-groups';
  await createTableWith(name, [
    { ...groupKey(deleted), deleted_at: 1 },
    ...[departed, ownerless, unchanged].map((id) => ({ ...groupKey(id), id })),
    // After the restore point, Ann left two groups. Bob's membership in the deleted group still
    // exists.
    ...[membershipKey('bob', departed), membershipKey('ann', unchanged)],
    { ...membershipKey('bob', deleted), is_group_deleted: true },
    membershipKey('bob', unchanged),
    membershipKey('cleo', departed),
  ]);

  const tools = { table: openTable, now: () => 7, print: () => {} };
  const rerun = () => repeatDeletions(tools, { old: name, restored: restored.name });
  expect(await rerun()).toEqual({
    ...noCounts,
    groups: 2,
    memberships: 1,
    retainedIn: [ownerless],
  });

  const groupsOf = async (as: Caller) => (await getGroups(as)).data.map(({ id }) => id).sort();
  expect(await groupsOf(owner)).toEqual([ownerless, unchanged].sort());
  expect(await groupsOf(bob)).toEqual([departed, unchanged].sort());
  expect(await getGroup(bob, departed)).toMatchObject({ member_count: 2 });
  expect((await getMembers(cleo, departed)).data).toMatchObject([
    { contact_id: 'bob', role: 'owner' },
    { contact_id: 'cleo', role: 'member' },
  ]);
  expect(await rerun()).toEqual({ ...noCounts, retainedIn: [ownerless] });

  for (const id of [deleted, missing]) {
    await purgeKey(groupKey(id));
    await purgeKey(groupKey(id));
  }
  const keys = [groupKey(deleted), groupKey(missing), membershipKey('bob', deleted)];
  expect(await getItems(restored, keys)).toEqual([]);
  const [count] = await getItems(restored, [membershipCountKey('ann')]);
  expect(count).toMatchObject({ group_count: 2 });
});

test('Deletions and erasures made after the restore point are repeated in one run', async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  const { id } = await create(ann, { contact_id: 'bob' });
  await send(person('bob'), id, 'Hello');
  const { id: missing } = await create(ann, { contact_id: 'cleo' });
  const contact = { ...contactKey('bob'), id: 'bob', erased_at: 7 };
  const { name } = await createTableWith('another', [...toOldItems({ [id]: {} }), contact]);
  const printed: string[] = [];
  const tools = { ...createRecoveryTools({}), print: (line: string) => printed.push(line) };
  const options = { old: name, restored: restored.name, rates: { reads: 1000, writes: 1000 } };
  expect(await repeatDeletionsAndErasures(tools, options, () => {})).toBe(true);
  expect(printed.filter((line) => !line.includes('checked') && !line.includes('units'))).toEqual([
    expect.stringMatching(/^Repeated the deletion of \d conversations and 0 groups\.$/),
    'Repeated the removal or departure of 0 group members.',
    'Erased after the restore point: bob, first on 1970-01-01T00:00:00.007Z',
    'Waiting 70 seconds until all functions refuse writes by bob.',
    'Erased again for bob:',
    '        1  the profile',
    '        1  messages they sent',
    'People erased again: 1.',
  ]);
  expect((await list(ann, id)).data).toEqual([]);
  const [deleted, erased] = await getItems(restored, [conversationKey(missing), contactKey('bob')]);
  expect([deleted, erased]).toContainEqual(expect.objectContaining({ username: null }));
  expect([deleted, erased]).toContainEqual(
    expect.objectContaining({ deletion: expect.anything() }),
  );
});

test('If the old table does not exist, the command repeats no deletion and reports the missing table', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const printed: string[] = [];
  const tools = { ...createRecoveryTools({}), print: (line: string) => printed.push(line) };
  const options = { old: 'gone', restored: restored.name, rates: { reads: 1000, writes: 1000 } };
  expect(await repeatDeletionsAndErasures(tools, options, () => {})).toBe(false);
  expect(printed.join('\n')).toContain('The table gone, which records');
  expect(await getConversation(ann, id)).toMatchObject({ id });
});
