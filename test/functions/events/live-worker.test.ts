import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';
import type { StreamRecord } from '../../../local-cloud/streams/stream-event.ts';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import {
  changeConversation,
  create,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { captureLogLines } from '../../support/handlers/capture-log-lines.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import { injectFault, listFaults } from '../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../support/table/http-hooks.ts';
import { startFakeAppSync } from '../../support/workers/fake-appsync.ts';
import {
  getLiveWorkerFilter,
  publishAll,
  readNewRecords,
  runLiveWorker,
} from '../../support/workers/live-worker.ts';
import { runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

/** Runs the action, and returns its change records that pass the worker's filter. */
async function changeEvents(act: () => Promise<unknown>): Promise<StreamRecord[]> {
  await publishAll();
  await act();
  return (await readNewRecords()).filter(await getLiveWorkerFilter());
}

describe('The live worker', () => {
  test('publishes a duplicate record once', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const records = await changeEvents(async () => {
      for (let n = 0; n < 30; n++) await send(cleo, id, `${n}`);
    });
    const start = await getLiveCursor(xavier);
    await runLiveWorker(records);
    await runLiveWorker(records.slice(10));
    expect((await listEventsAfter(xavier, start)).events).toHaveLength(30);
  });

  test('reports a record that fails, publishes the others, and publishes the failed record on a retry', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id: one } = await create(cleo, { contact_id: xavier.id });
    const { id: two } = await create(tina, { contact_id: tina.id });
    const records = await changeEvents(async () => {
      await send(cleo, one, 'Hello');
      await send(tina, two, 'Hello');
    });
    const starts = await Promise.all([xavier, tina].map(getLiveCursor));
    const undo = interceptCalls(async ({ input }, proceed) => {
      if (JSON.stringify(input).includes(`FEED#CONTACT#${xavier.id}`)) throw new Error('broken');
      await proceed();
    });
    const failed = await runLiveWorker(records).finally(undo);
    const count = async (n: number) =>
      (await listEventsAfter([xavier, tina][n] ?? tina, starts[n])).events.length;
    expect([failed.length, await count(0), await count(1)]).toEqual([1, 0, 1]);
    expect(
      await runLiveWorker(
        records.filter(({ dynamodb }) => failed.includes(dynamodb.SequenceNumber)),
      ),
    ).toEqual([]);
    expect([await count(0), await count(1)]).toEqual([1, 1]);
  });

  test('reports an invalid record, and publishes the others', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const records = await changeEvents(() => send(cleo, id, 'Hello'));
    const start = await getLiveCursor(xavier);
    const [first] = records;
    if (!first) throw new Error('There is no change record.');
    const image = {
      pk: { S: `CONVERSATION#${id}` },
      sk: { S: 'MESSAGE#000000000009' },
      id: { S: 'x' },
    };
    const corrupted = {
      ...first,
      dynamodb: {
        ...first.dynamodb,
        SequenceNumber: 'spoilt',
        OldImage: undefined,
        NewImage: image,
      },
    };
    expect(await runLiveWorker([corrupted, ...records])).toEqual(['spoilt']);
    expect((await listEventsAfter(xavier, start)).events).toHaveLength(1);
  });

  test('logs the number of lost pushes, and does not retry them, because the feeds contain the events', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const records = await changeEvents(() => send(cleo, id, 'Hello'));
    const starts = await Promise.all([cleo, xavier].map(getLiveCursor));
    const lines = await captureLogLines(async () => {
      expect(await runLiveWorker(records)).toEqual([]);
    });
    expect(lines).toEqual([
      // The test has no push endpoint.
      expect.objectContaining({ level: 'ERROR', operation: 'push' }),
      expect.objectContaining({ level: 'ERROR', operation: 'push' }),
      expect.objectContaining({ level: 'INFO', operation: 'live', events: 2, lost_pushes: 2 }),
    ]);
    for (const [n, recipient] of [cleo, xavier].entries()) {
      expect((await listEventsAfter(recipient, starts[n])).events).toHaveLength(1);
    }
  });

  test('abandons hung pushes after 8 seconds, and logs them as lost', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const records = await changeEvents(() => send(cleo, id, 'Hello'));
    const timers: { end(): void; milliseconds: number | undefined }[] = [];
    const { setTimeout: realTimer } = globalThis;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((end, milliseconds) => {
      timers.push({ end, milliseconds });
      return realTimer(end, milliseconds);
    });
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    const getPushTimers = () => timers.filter(({ milliseconds }) => milliseconds === 8000);
    // When a push arrives, the server fires the 8-second timers. The server never replies.
    const hung = createServer(() => {
      for (const timer of getPushTimers()) timer.end();
    });
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
    const { port } = hung.address() as AddressInfo;
    const PUSH_URL = `http://127.0.0.1:${port}/event`;
    jest.replaceProperty(process, 'env', { ...process.env, PUSH_URL });
    const lines = await captureLogLines(async () => {
      expect(await runLiveWorker(records)).toEqual([]);
    });
    expect(lines.at(-1)).toMatchObject({ operation: 'live', events: 2, lost_pushes: 2 });
    // One timer limits reading the contents of the pushes. Two more timers limit the pushes, one
    // per feed.
    expect(getPushTimers()).toHaveLength(3);
    hung.closeAllConnections();
    hung.close();
  });

  test('publishes to other feeds while the append to one feed hangs', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id: slow } = await create(cleo, { contact_id: cleo.id });
    const { id: quick } = await create(tina, { contact_id: xavier.id });
    const records = await changeEvents(async () => {
      await send(cleo, slow, 'Hello');
      await send(tina, quick, 'Hello');
    });
    jest.replaceProperty(process, 'env', { ...process.env });
    const push = await startFakeAppSync();
    const pushed = Promise.withResolvers<void>();
    const undo = interceptCalls(async ({ input }, proceed) => {
      if (JSON.stringify(input).includes(`FEED#CONTACT#${cleo.id}`)) await pushed.promise;
      await proceed();
    });
    const working = runLiveWorker(records);
    await waitUntil(async () => push.feedCount() === 2);
    pushed.resolve();
    expect(await working.finally(undo)).toEqual([]);
    expect(push.feedCount()).toBe(3);
    push.stop();
  });

  test('does not push a message whose sender it cannot read, but appends the event to the feeds', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const records = await changeEvents(() => send(cleo, id, 'Hello'));
    const start = await getLiveCursor(xavier);
    // Expires the cached senders.
    jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 60_000);
    const undo = interceptCalls(async ({ input }, proceed) => {
      if (JSON.stringify(input).includes(`"CONTACT#${cleo.id}"`)) throw new Error('broken');
      await proceed();
    });
    const lines = await captureLogLines(async () => {
      expect(await runLiveWorker(records)).toEqual([]);
    }).finally(undo);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        operation: 'push',
        cause: expect.stringContaining('broken'),
      }),
      expect.objectContaining({ level: 'INFO', operation: 'live', events: 2, lost_pushes: 2 }),
    ]);
    expect((await listEventsAfter(xavier, start)).events).toHaveLength(1);
  });

  test('publishes every event despite a fault in any table call, and publishes it only once if the fault is transient', async () => {
    const { cleo, xavier } = createTrio();
    const problems: string[] = [];
    const { id } = await create(cleo, { contact_id: xavier.id });
    const act = () =>
      changeEvents(() => Promise.all(Array.from({ length: 20 }, () => send(cleo, id, 'x'))));
    const records = await act();
    jest.spyOn(clock, 'sleep').mockResolvedValue();
    for (const fault of takeSample(
      listFaults(await recordHttpCalls(() => runLiveWorker(records))),
      12,
    )) {
      const fresh = await act();
      const start = await getLiveCursor(xavier);
      const wire = injectFault(fault);
      const failed = await runLiveWorker(fresh);
      await wire.remove();
      if (!fault.isLasting && failed.length > 0) problems.push(`${fault.title}: a record fails`);
      await runLiveWorker(fresh);
      const { events } = await listEventsAfter(xavier, start);
      const publishedCount = new Set(events.map((event) => event.id)).size;
      if (publishedCount !== 20)
        problems.push(`${fault.title}: ${publishedCount} of 20 events are published`);
      if (!fault.isLasting && events.length !== 20)
        problems.push(`${fault.title}: an event is published twice`);
    }
    expect(problems).toEqual([]);
  }, 300_000);
});

const table = DynamoDBDocumentClient.from(new DynamoDBClient());

test('After a conversation is deleted and purged, only its ids, event types, versions and timestamps remain in feeds', async () => {
  const { cleo, xavier, team } = createTrio();
  const member = { ...cleo, groups: [team] };
  const { id } = await create(member, { group_id: team, contact_id: xavier.id });
  for (let n = 0; n < 40; n++) await send(member, id, `secret ${n}`);
  await list(xavier, id);
  await changeConversation(xavier, id, { is_muted: true });
  await publishAll();
  await removeConversation(member, id);
  jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 120_000);
  await runPurgeWorker([id]);
  await publishAll();

  const { Items = [] } = await table.send(
    new ScanCommand({ TableName: env('TABLE_NAME'), ConsistentRead: true }),
  );
  const left = Items.filter((item) => JSON.stringify(item).includes(id));
  expect(left.length).toBeGreaterThan(0);
  for (const { pk, sk, entries, room, expires_at, ...others } of left) {
    expect(sk).toMatch(/^CHUNK#/);
    expect([pk, others]).toEqual([expect.stringMatching(/^FEED#(CONTACT|GROUP)#/), {}]);
    expect(expires_at !== undefined).toBe(room === 0);
    for (const entry of entries)
      expect(entry).toMatch(/^[a-h][0-9A-Z]{26,44}\.[0-9a-z]+\.[0-9a-z]+$/);
  }
  // The remaining payloads are deletions, at most one per resource.
  const { events } = await listEventsAfter(xavier);
  const payloads = events.flatMap(({ payload }) => payload ?? []);
  expect(new Set(payloads.map(({ id: one }) => one)).size).toBe(payloads.length);
  for (const payload of payloads) expect(payload).toMatchObject({ deleted: true });
});
