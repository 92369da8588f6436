import { describe, expect, test } from '@jest/globals';
import { retrieveAttachment, sendMessage } from '../../../shared/contract/operations.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { attachmentKey } from '../../../shared/table/keys/keys.ts';
import { getFiles, upload } from '../../support/files/use-file-server.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import { captureLogLines } from '../../support/handlers/capture-log-lines.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls } from '../../support/table/call-hooks.ts';
import { purgeKey, runPurgeSchedule } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

const dayMilliseconds = 24 * 60 * 60_000;
const toKey = (id: string) =>
  attachmentKey({ conversationId: id.slice(0, 26), fileId: id.slice(26) });
const hasFile = async (id: string) =>
  (await getFiles()).includes(`files/${id.slice(0, 26)}/${id.slice(26)}`);

const sendOne = (conversation_id: string, file: string) => ({
  as: ann,
  body: { conversation_id, message: '', attachments: [{ id: file }] },
});

describe('An upload that no message contains', () => {
  test('is removed after 24 hours: the purge schedule removes its item, and then the purge worker removes its file', async () => {
    const time = createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const [unsent, sent] = [await upload(ann, id), await upload(ann, id)];
    await send(ann, id, 'Look', { attachments: [{ id: sent }] });
    time.pass(dayMilliseconds - 1000);
    const recent = await upload(ann, id);
    await runPurgeSchedule();
    expect(await getItem(toKey(unsent))).toBeDefined();
    time.pass(1000);
    await runPurgeSchedule();
    expect(await getItem(toKey(unsent))).toBeUndefined();
    for (const file of [unsent, sent, recent]) expect(await purgeKey(toKey(file))).toEqual([]);
    expect(await Promise.all([unsent, sent, recent].map(hasFile))).toEqual([false, true, true]);
  });

  test('can be sent and downloaded only for 24 hours, even if its item remains for days', async () => {
    const time = createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const [inTime, late] = [await upload(ann, id), await upload(ann, id)];
    time.pass(dayMilliseconds - 1000);
    expect((await request(sendMessage, sendOne(id, inTime))).status).toBe(201);
    for (const milliseconds of [1000, 5 * dayMilliseconds]) {
      time.pass(milliseconds);
      expect(await refused(sendMessage, sendOne(id, late))).toMatchObject({
        status: 400,
        param: 'attachments',
      });
      const download = { as: ann, path: { attachment_id: late } };
      expect((await request(retrieveAttachment, download)).status).toBe(404);
    }
    expect(await getItem(toKey(late))).toBeDefined();
  });

  test('is retained if a function with a slow clock sends it just before the purge schedule would remove its item', async () => {
    const time = createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const file = await upload(ann, id);
    time.pass(dayMilliseconds);
    beforeFirstCall(
      ({ operation, input }) =>
        operation === 'DeleteItem' && JSON.stringify(input).includes(toKey(file).sk),
      async () => {
        time.pass(-1000);
        await send(ann, id, 'Look', { attachments: [{ id: file }] });
        time.pass(1000);
      },
    );
    await runPurgeSchedule();
    expect(await getItem(toKey(file))).toMatchObject({ id: file });
    expect(await purgeKey(toKey(file))).toEqual([]);
    expect(await hasFile(file)).toBe(true);
  });
});

test('A failed run of the purge schedule throws and logs a fault', async () => {
  interceptCalls(async () => {
    throw new Error('The table is down.');
  });
  const lines = await captureLogLines(async () => {
    await expect(runPurgeSchedule()).rejects.toThrow();
  });
  expect(lines).toMatchObject([{ operation: 'purge', level: 'ERROR', fault: 1 }]);
});
