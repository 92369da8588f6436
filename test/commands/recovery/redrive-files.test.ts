import { expect, test } from '@jest/globals';
import { redriveFiles } from '../../../commands/recovery/redrive-files.ts';
import { addPendingFile } from '../../../shared/files/objects.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { attachmentKey } from '../../../shared/table/keys/keys.ts';
import { getFiles, toFileStage, upload } from '../../support/files/use-file-server.ts';
import { create, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { getPurgeWorkerFilter, readNewRecords } from '../../support/workers/live-worker.ts';
import { purgeRecords } from '../../support/workers/purge-worker.ts';
import { table } from '../privacy/person-fixture.ts';
import '../../support/setup/use-table.ts';

const threeDays = 3 * 24 * 60 * 60_000;

test('Redriving files removes only files of deleted messages and files without an item', async () => {
  const time = createVirtualClock();
  const { id } = await create(ann, { contact_id: 'bob' });
  const [retained, deleted, orphan] = [
    await upload(ann, id),
    await upload(ann, id),
    await upload(ann, id),
  ];
  await send(ann, id, 'Kept', { attachments: [{ id: retained }] });
  const message = await send(ann, id, 'Deleted', { attachments: [{ id: deleted }] });
  await removeMessage(ann, message.id);
  await removeItem(attachmentKey({ conversationId: id, fileId: orphan.slice(26) }));
  for (const file of [retained, orphan]) {
    await addPendingFile(`thumbnails/${id}/${file.slice(26)}`, 'image/webp', Buffer.from('small'));
  }
  // Discards the stream records, as if the worker had abandoned them.
  await readNewRecords();
  expect(await redriveFiles(toFileStage(), table)).toEqual({ messages: 1, orphans: 0 });
  time.pass(threeDays);
  expect(await redriveFiles(toFileStage(), table)).toEqual({ messages: 1, orphans: 2 });
  const records = (await readNewRecords()).filter(await getPurgeWorkerFilter());
  expect(await purgeRecords(records)).toEqual([]);
  expect(await getFiles()).toEqual(
    ['files', 'thumbnails'].map((prefix) => `${prefix}/${id}/${retained.slice(26)}`),
  );
  expect(await redriveFiles(toFileStage(), table)).toEqual({ messages: 0, orphans: 0 });
});

test('A stage without attachments has no files to redrive', async () => {
  const stage = { ...toFileStage(), findOutput: () => undefined };
  expect(await redriveFiles(stage, table)).toBeUndefined();
});
