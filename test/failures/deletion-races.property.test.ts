import { expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { deleteConversation, listMessages, sendMessage } from '../../shared/contract/operations.ts';
import { create } from '../support/handlers/api-calls.ts';
import { expectNotFound } from '../support/handlers/expect-not-found.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { ann, bob } from '../support/people/callers.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import {
  beforeMessagePut,
  crashAtCall,
  pauseFirstMessagePut,
} from '../support/table/call-hooks.ts';
import { getSortKeys, runPurgeWorker } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const delay = fc.integer({ min: 0, max: 40 });

/** Requests concurrent with the deletion of a conversation. Delays are in milliseconds. */
const races = fc.record({
  senders: fc.array(
    fc.record({ begins: delay, key: fc.option(fc.constantFrom('one', 'two'), { nil: undefined }) }),
    { minLength: 1, maxLength: 12 },
  ),
  /** Delays between a send's reservation and its message, so that some readers find the gap. */
  slowness: fc.array(delay, { minLength: 12, maxLength: 12 }),
  readers: fc.array(delay, { maxLength: 4 }),
  deleted: delay,
  /** Number of the table call after which the purge worker crashes in its first run. */
  workerCrashesAt: fc.integer({ min: 1, max: 8 }),
});

test('A deletion removes all items of the conversation, even if sends and reads are concurrent with it and the purge worker crashes', async () => {
  await fc.assert(
    fc.asyncProperty(races, async ({ senders, slowness, readers, deleted, workerCrashesAt }) => {
      const { id } = await create(ann, { contact_id: 'bob' });
      const send = async (headers?: Record<string, string>) => {
        const body = { conversation_id: id, message: 'Hello' };
        return (await request(sendMessage, { as: bob, body, ...(headers && { headers }) })).status;
      };
      const { paused, resume, undo } = pauseFirstMessagePut();
      const overlapping = send();
      await Promise.race([paused, overlapping]);
      let puts = 0;
      const stop = beforeMessagePut(async () => {
        await wait(slowness[puts++ % slowness.length] ?? 0);
      });
      let deletedAt = Number.POSITIVE_INFINITY;
      const sending = senders.map(async ({ begins, key }) => {
        await wait(begins);
        const begun = performance.now();
        const status = await send(key && { 'Idempotency-Key': `${id}${key}` });
        return { status, afterDeletion: begun > deletedAt, replayed: key !== undefined };
      });
      const reading = readers.map(async (begins) => {
        await wait(begins);
        return request(listMessages, { as: bob, query: { conversation_id: id } });
      });
      await wait(deleted);
      const call = { as: ann, path: { conversation_id: id } };
      expect((await request(deleteConversation, call)).status).toBe(200);
      deletedAt = performance.now();
      resume();
      // This send reserved its sequence number before the deletion. If a reader has filled the gap,
      // the send must reserve a new sequence number, which the deletion prevents.
      expect(readers.length > 0 ? [201, 404] : [201]).toContain(await overlapping);
      expect(await send()).toBe(404);
      const sends = await Promise.all(sending);
      await Promise.all(reading);
      stop();
      undo();

      for (const { status, afterDeletion, replayed } of sends) {
        expect([201, 404]).toContain(status);
        // A retry with the same key replays the first response, even after the deletion.
        if (afterDeletion && !replayed) expect(status).toBe(404);
      }
      for (const as of [ann, bob]) await expectNotFound(as, id, `${id}${'0'.repeat(18)}`);

      const advanced = clock.now() + 60_001;
      jest.spyOn(clock, 'now').mockImplementation(() => advanced);
      jest.spyOn(clock, 'sleep').mockResolvedValue();
      const restoreCalls = crashAtCall(workerCrashesAt, 'after');
      await runPurgeWorker([id, id]);
      restoreCalls();
      await runPurgeWorker([id]);
      expect(await getSortKeys(id)).toEqual([]);
      jest.restoreAllMocks();
    }),
    { numRuns: selectSize(16, 40) },
  );
});
