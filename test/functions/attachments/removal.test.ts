import { describe, expect, jest, test } from '@jest/globals';
import { random } from '../../../shared/ids.ts';
import { getItem, update } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { attachmentKey, messageKey } from '../../../shared/table/keys/keys.ts';
import { getFiles, getObjectStore, upload } from '../../support/files/use-file-server.ts';
import {
  create,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { getSortKeys, purgeKey, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

const toKey = (id: string) =>
  attachmentKey({ conversationId: id.slice(0, 26), fileId: id.slice(26) });
const filesOf = async (id: string) =>
  (await getFiles()).filter((key) => key.startsWith(`files/${id}`));

async function sentWith(count: number) {
  const { id } = await create(ann, { contact_id: 'bob' });
  const files: string[] = [];
  for (let n = 0; n < count; n++) files.push(await upload(ann, id));
  const attachments = files.map((file) => ({ id: file }));
  const message = await send(ann, id, 'Look', { attachments });
  return { id, files, message: message.id, key: messageKey(id, 1) };
}

describe('Removal of attachment files', () => {
  test('of a deleted message also deletes the attachments’ items and the tombstone’s attachment ids, and retains unsent uploads', async () => {
    createVirtualClock();
    const { id, files, message, key } = await sentWith(3);
    const unsent = await upload(ann, id);
    await removeMessage(ann, message);
    expect(await filesOf(id)).toHaveLength(4);
    expect(await purgeKey(key)).toEqual([]);
    expect(await filesOf(id)).toEqual([`files/${id}/${unsent.slice(26)}`]);
    for (const file of files) expect(await getItem(toKey(file))).toBeUndefined();
    expect(await getItem(key)).not.toHaveProperty('attachment_ids');
    expect(await purgeKey(key)).toEqual([]);
  });

  test('of a deleted conversation includes unsent uploads, and precedes the removal of all attachment items', async () => {
    createVirtualClock();
    const { id } = await sentWith(2);
    await upload(ann, id);
    await removeConversation(ann, id);
    const remove = jest.spyOn(getObjectStore(), 'remove').mockRejectedValue(new Error('down'));
    expect(await runPurgeWorker([id])).toHaveLength(1);
    expect(
      (await getSortKeys(id)).filter((sk) => String(sk).startsWith('ATTACHMENT#')),
    ).toHaveLength(3);
    remove.mockRestore();
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await filesOf(id)).toEqual([]);
    expect(await getSortKeys(id)).toEqual([]);
  });

  test('of an expired upload follows the removal of its item', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const file = await upload(ann, id);
    expect(await purgeKey(toKey(file))).toEqual([]);
    expect(await filesOf(id)).toHaveLength(1);
    await removeItem(toKey(file));
    expect(await purgeKey(toKey(file))).toEqual([]);
    expect(await filesOf(id)).toEqual([]);
  });

  test('of a deleted message precedes the compaction of its tombstone', async () => {
    jest.spyOn(random, 'oneIn').mockReturnValue(true);
    const { id, message, key } = await sentWith(1);
    createVirtualClock();
    const before = await send(ann, id, 'Before');
    await removeMessage(ann, message);
    await update({
      Key: key,
      UpdateExpression: 'SET deleted_at = :long',
      ExpressionAttributeValues: { ':long': 1 },
    });
    await removeMessage(ann, before.id);
    expect(await getItem(key)).toHaveProperty('attachment_ids');
  });
});
