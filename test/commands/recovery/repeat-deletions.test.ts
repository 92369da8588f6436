import { beforeEach, expect, jest, test } from '@jest/globals';
import { createRecoveryTools } from '../../../commands/recovery/recovery-tools.ts';
import { repeatDeletions } from '../../../commands/recovery/repeat-deletions.ts';
import { repeatDeletionsAndErasures } from '../../../commands/recovery/repeat-deletions-and-erasures.ts';
import { getItems } from '../../../commands/stage/batch-items.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
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
import { ann, person } from '../../support/handlers/callers.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import { createTableWith } from '../privacy/restore-items.ts';
import '../../support/setup/use-table.ts';

beforeEach(emptyTable);

const restored = openTable(env('TABLE_NAME'));
const old = 'the-table-in-which-people-went-on';

test('Conversations deleted after the restore point are deleted in the restored table, and no others', async () => {
  const member = person('ann', { groups: ['team'] });
  const { id: retained } = await create(ann, { contact_id: 'bob' });
  const { id: gone } = await create(ann, { contact_id: 'bob' });
  const { id: going } = await create(member, { group_id: 'team' });
  await send(ann, gone, 'Hello');
  const { id: before } = await create(ann, { contact_id: 'bob' });
  await removeConversation(ann, before);
  await createTableWith(old, toOldItems({ [retained]: {}, [going]: { deleted_at: 1 } }));

  const printed: string[] = [];
  const tools = { table: openTable, now: () => 7, print: (line: string) => printed.push(line) };
  const again = () => repeatDeletions(tools, { old, restored: restored.name });
  expect(await again()).toBe(2);
  expect(printed).toEqual(['  3 conversations checked, 2 deleted again']);

  const stored = async (id: string) => (await getItems(restored, [conversationKey(id)]))[0];
  expect(await stored(retained)).toMatchObject({ id: retained, created_by: 'ann' });
  // The item that the operation leaves.
  const tombstone = await stored(before);
  for (const id of [gone, going]) {
    expect(await stored(id)).toEqual({
      ...tombstone,
      ...conversationKey(id),
      gsi1pk: purgePartition(id),
      activity: toActivitySortKey(7, id),
      deleted_at: 7,
      deletion: expect.any(String),
    });
  }
  expect(await again()).toBe(0);
});

/** Returns conversations of the old table with the attributes that the command reads. */
const toOldItems = (conversations: Record<string, object>) =>
  Object.entries(conversations).map(([id, more]) => ({ ...conversationKey(id), ...more }));

test('People erased after the restore point are erased before the table becomes active', async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  const { id } = await create(ann, { contact_id: 'bob' });
  await send(person('bob'), id, 'Hello');
  const { id: gone } = await create(ann, { contact_id: 'cleo' });
  const contact = { ...contactKey('bob'), id: 'bob', erased_at: 7 };
  const { name } = await createTableWith('another', [...toOldItems({ [id]: {} }), contact]);
  const printed: string[] = [];
  const tools = { ...createRecoveryTools({}), print: (line: string) => printed.push(line) };
  const options = { old: name, restored: restored.name, rates: { reads: 1000, writes: 1000 } };
  expect(await repeatDeletionsAndErasures(tools, options, () => {})).toBe(true);
  expect(printed.filter((line) => !line.includes('checked') && !line.includes('units'))).toEqual([
    expect.stringMatching(/^Deleted \d conversations that were deleted since\.$/),
    'Erased since: bob, first on 1970-01-01T00:00:00.007Z',
    'Waiting 70 seconds, until all functions refuse writes of bob.',
    'Erased again for bob:',
    '        1  the profile',
    '        1  messages they sent',
    'People erased again: 1.',
  ]);
  expect((await list(ann, id)).data).toEqual([]);
  const [deleted, erased] = await getItems(restored, [conversationKey(gone), contactKey('bob')]);
  expect([deleted, erased]).toContainEqual(expect.objectContaining({ username: null }));
  expect([deleted, erased]).toContainEqual(
    expect.objectContaining({ deletion: expect.anything() }),
  );
});

test('Without the old table, nothing is deleted, and the alternatives are printed', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const printed: string[] = [];
  const tools = { ...createRecoveryTools({}), print: (line: string) => printed.push(line) };
  const options = { old: 'gone', restored: restored.name, rates: { reads: 1000, writes: 1000 } };
  expect(await repeatDeletionsAndErasures(tools, options, () => {})).toBe(false);
  expect(printed.join('\n')).toContain('The table gone does not exist');
  expect(await getConversation(ann, id)).toMatchObject({ id });
});
