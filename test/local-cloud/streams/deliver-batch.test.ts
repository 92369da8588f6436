import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../../local-cloud/functions/thread-protocol.ts';
import { type AbandonReason, deliverBatch } from '../../../local-cloud/streams/deliver-batch.ts';
import type { EventSourceMapping } from '../../../local-cloud/streams/event-source-mapping.ts';
import type { StreamRecord } from '../../../local-cloud/streams/stream-event.ts';
import { testMapping } from './test-mapping.ts';

const createRecord = (number: number, ageSeconds = 0): StreamRecord => ({
  eventID: String(number),
  eventName: 'INSERT',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'us-east-1',
  eventSourceARN: 'arn',
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(Date.now() / 1000) - ageSeconds,
    SequenceNumber: String(number),
    SizeBytes: 1,
    StreamViewType: 'KEYS_ONLY',
  },
});

const fails: Outcome = { ok: false, failure: { errorType: 'Error', errorMessage: 'no' } };
const replyWith = (reply: unknown): Outcome => ({ ok: true, reply: JSON.stringify(reply) });
const failedFrom = (...numbers: number[]) =>
  replyWith({ batchItemFailures: numbers.map((number) => ({ itemIdentifier: String(number) })) });

async function delivered(
  properties: Partial<EventSourceMapping>,
  respond: (numbers: number[], invocation: number) => Outcome,
  ageSeconds = 0,
) {
  const batches: number[][] = [];
  const abandoned: [number[], AbandonReason][] = [];
  const numbers = (records: readonly StreamRecord[]) =>
    records.map(({ eventID }) => Number(eventID));
  await deliverBatch(
    { ...testMapping, ...properties },
    [1, 2, 3, 4].map((number) => createRecord(number, ageSeconds)),
    {
      invoke: async (records) => {
        batches.push(numbers(records));
        return respond(numbers(records), batches.length);
      },
      abandon: (records, reason) => abandoned.push([numbers(records), reason]),
      pause: async () => {},
    },
  );
  return { batches, abandoned };
}

const all = [1, 2, 3, 4];

describe('records of a stream', () => {
  test('are delivered once if the function succeeds', async () => {
    expect(await delivered({}, () => replyWith(null))).toEqual({ batches: [all], abandoned: [] });
  });

  test('are delivered again until the function succeeds', async () => {
    const respond = (_: number[], invocation: number) => (invocation < 4 ? fails : replyWith(null));
    expect(await delivered({}, respond)).toEqual({ batches: [all, all, all, all], abandoned: [] });
  });

  test("are abandoned after the mapping's maximum number of retries", async () => {
    expect(await delivered({ maxRetries: 2 }, () => fails)).toEqual({
      batches: [all, all, all],
      abandoned: [[all, { condition: 'RetryAttemptsExhausted', invocations: 3 }]],
    });
  });

  test("are abandoned after a failure if they exceed the mapping's maximum age", async () => {
    expect(await delivered({ maxAgeSeconds: 60 }, () => fails, 120)).toEqual({
      batches: [all],
      abandoned: [[all, { condition: 'RecordAgeExceeded', invocations: 1 }]],
    });
  });

  test('are delivered in halves after a failure, so that only the failing record is abandoned', async () => {
    const respond = (numbers: number[]) => (numbers.includes(3) ? fails : replyWith(null));
    expect(await delivered({ bisects: true, maxRetries: 1 }, respond)).toEqual({
      batches: [all, [1, 2], [3, 4], [3], [3], [4]],
      abandoned: [[[3], { condition: 'RetryAttemptsExhausted', invocations: 2 }]],
    });
  });

  test('are delivered again starting with the first reported failure', async () => {
    const respond = (_: number[], invocation: number) =>
      [failedFrom(4, 2), failedFrom(3), failedFrom()][invocation - 1] ?? fails;
    expect(await delivered({ reportsItemFailures: true }, respond)).toEqual({
      batches: [all, [2, 3, 4], [3, 4]],
      abandoned: [],
    });
  });

  test('are all delivered again if the function reports an unknown record', async () => {
    const respond = (_: number[], invocation: number) =>
      invocation === 1 ? failedFrom(9) : replyWith({ batchItemFailures: [] });
    expect((await delivered({ reportsItemFailures: true }, respond)).batches).toEqual([all, all]);
  });

  test('are all delivered again if the function returns an invalid report', async () => {
    const respond = (_: number[], invocation: number) =>
      invocation === 1 ? replyWith({ batchItemFailures: 'all' }) : replyWith(null);
    expect((await delivered({ reportsItemFailures: true }, respond)).batches).toEqual([all, all]);
  });

  test('count as processed after any reply if the mapping does not use ReportBatchItemFailures', async () => {
    expect((await delivered({}, () => failedFrom(2))).batches).toEqual([all]);
  });

  test('do not count as processed if the local cloud stops between attempts', async () => {
    const stopped = deliverBatch(testMapping, [createRecord(1)], {
      invoke: async () => fails,
      abandon: () => {},
      pause: async () => {
        throw new Error('stopped');
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
  });
});
