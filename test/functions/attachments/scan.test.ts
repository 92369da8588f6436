import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ErrorReply } from '../../../shared/contract/errors.ts';
import { retrieveAttachment, updateMessage } from '../../../shared/contract/operations.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { attachmentKey, messageKey } from '../../../shared/table/keys/keys.ts';
import { upload } from '../../support/files/use-file-server.ts';
import { create, edit, getMessage, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { captureLogLines } from '../../support/handlers/capture-log-lines.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { beforeFirstCall, isTransaction } from '../../support/table/call-hooks.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { recordScanOf, runScanWorker, toScanEvent } from '../../support/workers/scan-worker.ts';
import '../../support/setup/use-table.ts';

beforeEach(() => {
  process.env.SCANS_FILES = 'true';
  delete process.env.SERVES_UNSCANNED;
});
afterEach(() => {
  delete process.env.SCANS_FILES;
  process.env.SERVES_UNSCANNED = 'true';
});

const direct = async () => (await create(ann, { contact_id: 'bob' })).id;
const toKey = (id: string) =>
  attachmentKey({ conversationId: id.slice(0, 26), fileId: id.slice(26) });
const retrieve = async (attachment_id: string, as = bob) => {
  const { status, body } = await request(retrieveAttachment, { as, path: { attachment_id } });
  return [status, status < 400 ? undefined : v.parse(ErrorReply, body).code];
};
const sendOne = async (conversation: string, file: string) =>
  send(ann, conversation, 'Look', { attachments: [{ id: file }] });
const statusesOf = ({ attachments }: Pick<Message, 'attachments'>) =>
  attachments.map(({ status }) => status);

describe('If file scans are enabled, an attachment', () => {
  test.each([
    ['NO_THREATS_FOUND', 'clean', [302, undefined]],
    ['THREATS_FOUND', 'infected', [410, 'infected']],
    ['UNSUPPORTED', 'unscanned', [409, 'not_scanned']],
    ['ACCESS_DENIED', 'unscanned', [409, 'not_scanned']],
    ['FAILED', 'unscanned', [409, 'not_scanned']],
  ])(
    'with the scan result %s is %s, whether the result arrives before or after the send',
    async (result, status, reply) => {
      const id = await direct();
      const [early, late] = [await upload(ann, id), await upload(ann, id)];
      expect(await retrieve(early, ann)).toEqual([409, 'not_scanned']);
      await recordScanOf(early, result);
      expect(await retrieve(early, ann)).toEqual(reply);
      const attachments = [{ id: early }, { id: late }];
      const sent = await send(ann, id, 'Look', { attachments });
      expect(statusesOf(sent)).toEqual([status, 'scanning']);
      expect(await retrieve(late)).toEqual([409, 'not_scanned']);
      await recordScanOf(late, result);
      expect(statusesOf(await getMessage(bob, sent.id))).toEqual([status, status]);
      expect([await retrieve(early), await retrieve(late)]).toEqual([reply, reply]);
    },
  );

  test('that cannot be scanned is served as soon as its scan result arrives, if the stage serves unscanned files', async () => {
    const file = await upload(ann, await direct());
    process.env.SERVES_UNSCANNED = 'true';
    expect(await retrieve(file, ann)).toEqual([409, 'not_scanned']);
    await recordScanOf(file, 'UNSUPPORTED');
    expect(await retrieve(file, ann)).toEqual([302, undefined]);
  });

  test('causes one message.updated event if its scan result arrives twice, and changes the message’s ETag if a different result arrives', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const sent = await sendOne(id, file);
    await publishAll();
    const cursor = await getLiveCursor(bob);
    await recordScanOf(file, 'NO_THREATS_FOUND');
    await recordScanOf(file, 'NO_THREATS_FOUND');
    await publishAll();
    const { events } = await listEventsAfter(bob, cursor);
    expect(events).toMatchObject([
      {
        type: 'message.updated',
        payload: { id: sent.id, updated_at: null, attachments: [{ id: file, status: 'clean' }] },
      },
    ]);
    const stale = { body: { message: 'Mine' }, path: { message_id: sent.id } };
    const { headers } = await request(updateMessage, { as: ann, ...stale });
    await recordScanOf(file, 'THREATS_FOUND');
    const late = {
      ...stale,
      body: { message: 'Again' },
      headers: { 'If-Match': headers.ETag ?? '' },
    };
    expect((await request(updateMessage, { as: ann, ...late })).status).toBe(412);
  });

  test('retains its status after a long message is edited, even if the edit writes another status', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const attachments = [{ id: file }];
    const sent = await send(ann, id, 'x'.repeat(3000), { attachments });
    await recordScanOf(file, 'THREATS_FOUND');
    expect(statusesOf(await edit(ann, sent.id, { message: 'Short' }))).toEqual(['infected']);
    const forged = [{ id: file, status: 'clean' }];
    expect(statusesOf(await edit(ann, sent.id, { attachments: forged }))).toEqual(['infected']);
  });

  test('whose scan finishes during the send has the scan result in the reply and in later reads', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    beforeFirstCall(isTransaction, () => recordScanOf(file, 'THREATS_FOUND'));
    const sent = await sendOne(id, file);
    expect(statusesOf(sent)).toEqual(['infected']);
    expect(statusesOf(await getMessage(bob, sent.id))).toEqual(['infected']);
  });

  test('remains infected if later scan results are FAILED or UNSUPPORTED', async () => {
    const file = await upload(ann, await direct());
    process.env.SERVES_UNSCANNED = 'true';
    for (const result of ['THREATS_FOUND', 'FAILED', 'UNSUPPORTED'])
      await recordScanOf(file, result);
    expect(await retrieve(file, ann)).toEqual([410, 'infected']);
  });

  test('of a deleted message is neither changed nor restored by a late scan result', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const sent = await sendOne(id, file);
    await removeMessage(ann, sent.id);
    const tombstone = await getItem(messageKey(id, 1));
    await recordScanOf(file, 'THREATS_FOUND');
    expect(await getItem(messageKey(id, 1))).toEqual(tombstone);
    await removeItem(toKey(file));
    await recordScanOf(file, 'THREATS_FOUND');
    expect(await getItem(toKey(file))).toBeUndefined();
  });

  test('shows its scan result even if the results for all attachments of its message arrive concurrently', async () => {
    const id = await direct();
    const files: string[] = [];
    for (let n = 0; n < 5; n++) files.push(await upload(ann, id));
    const attachments = files.map((file) => ({ id: file }));
    const sent = await send(ann, id, 'Look', { attachments });
    await Promise.all(files.map((file) => recordScanOf(file, 'NO_THREATS_FOUND')));
    expect(statusesOf(await getMessage(bob, sent.id))).toEqual(Array(5).fill('clean'));
  });
});

describe('The scan worker', () => {
  test('ignores objects that are not uploads, and fails on malformed events', async () => {
    for (const key of ['malware-protection-resource-validation-object', 'files/x', 'files/']) {
      const lines = await captureLogLines(() =>
        runScanWorker(toScanEvent(key, 'NO_THREATS_FOUND')),
      );
      expect(lines).toMatchObject([{ operation: 'scan', ignored: 1 }]);
    }
    await expect(runScanWorker({ detail: {} })).rejects.toThrow();
  });

  test.each([
    ['NO_THREATS_FOUND', undefined],
    ['UNSUPPORTED', undefined],
    ['ACCESS_DENIED', 1],
    ['FAILED', 1],
  ])('for the result %s, logs failed_scans as %s', async (result, failed_scans) => {
    const file = await upload(ann, await direct());
    const [line] = await captureLogLines(() => recordScanOf(file, result));
    expect(line).toMatchObject({ recorded: 1, result });
    expect(line?.failed_scans).toBe(failed_scans);
  });
});

test('A download of a sent file logs an overdue scan if the file has no scan result 30 minutes after its creation', async () => {
  const time = createVirtualClock();
  const id = await direct();
  const [sent, unsent] = [await upload(ann, id), await upload(ann, id)];
  await sendOne(id, sent);
  const countOverdue = async (file: string) => {
    const lines = await captureLogLines(() => retrieve(file, ann));
    return lines.map(({ overdue_scans }) => overdue_scans);
  };
  expect(await countOverdue(sent)).toEqual([undefined]);
  time.pass(31 * 60_000);
  expect([await countOverdue(sent), await countOverdue(unsent)]).toEqual([[1], [undefined]]);
});
