import { retrieveConversation, sendMessage } from '../../../shared/contract/operations.ts';
import { create, removeConversation, send } from '../handlers/api-calls.ts';
import { captureLogLines, type Line } from '../handlers/capture-log-lines.ts';
import { request } from '../handlers/invoke-handler.ts';
import { createVirtualClock } from '../handlers/virtual-clock.ts';
import { ann, bob, eve } from '../people/callers.ts';
import { interceptCalls } from '../table/call-hooks.ts';
import { createTableError } from '../table/table-error.ts';
import { publishAll } from './live-worker.ts';
import { runPurgeWorker } from './purge-worker.ts';
import { recordScanOf } from './scan-worker.ts';

/** Runs an action; its table calls fail if `fail` returns an error. */
async function withFaults(
  fail: (operation: string) => Error | undefined,
  act: () => Promise<unknown>,
) {
  const undo = interceptCalls(async ({ operation }, proceed) => {
    const error = fail(operation);
    if (error) throw error;
    await proceed();
  });
  await act().finally(undo);
}

const traceHeader = 'Root=1-abc-def;Parent=1;Sampled=1';

/** Returns log lines of successful, repeated and failed requests, and of three workers. */
export const captureSampleLines = (): Promise<Line[]> =>
  captureLogLines(async () => {
    process.env._X_AMZN_TRACE_ID = traceHeader;
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(bob, id, 'Hello');
    const repeated = {
      as: ann,
      body: { conversation_id: id, message: 'Hello again' },
      headers: { 'Idempotency-Key': 'once' },
    };
    await request(sendMessage, repeated);
    await request(sendMessage, repeated);
    const target = { as: ann, path: { conversation_id: id } };
    await request(retrieveConversation, { ...target, as: eve });
    await withFaults(
      () => new Error('The table is broken.'),
      () => request(retrieveConversation, target),
    );
    let calls = 0;
    await withFaults(
      (operation) =>
        operation === 'PutItem' && calls++ === 0
          ? createTableError('TransactionConflictException')
          : undefined,
      () => send(ann, id, 'Hello for the third time'),
    );
    const time = createVirtualClock();
    await removeConversation(ann, id);
    time.pass(7000);
    await runPurgeWorker([id], { milliseconds: 17_000, deletedAt: time.now() - 7000 });
    await withFaults(
      () => new Error('The table is broken.'),
      () => runPurgeWorker([id], { deletedAt: time.now() - 7000 }),
    );
    await runPurgeWorker([id]);
    const scanned = `${id}${'0'.repeat(26)}`;
    await recordScanOf(scanned, 'ACCESS_DENIED');
    await withFaults(
      () => new Error('The table is broken.'),
      () => recordScanOf(scanned, 'NO_THREATS_FOUND').catch(() => {}),
    );
    await withFaults(
      (operation) => (operation === 'Query' ? new Error('The table is broken.') : undefined),
      () => publishAll().catch(() => {}),
    );
  });
