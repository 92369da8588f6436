import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { ApiError } from '../../../../shared/api-error.ts';
import { clock } from '../../../../shared/clock.ts';
import { env } from '../../../../shared/env.ts';
import { toMessageId } from '../../../../shared/ids.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { getChunkEnd, getNewestChunks } from '../../../../shared/table/feed/feed-chunk.ts';
import { formatEntry } from '../../../../shared/table/feed/feed-entry.ts';
import { maintainFeed } from '../../../../shared/table/feed/feed-maintenance.ts';
import { createFeedWriter } from '../../../../shared/table/feed/feed-writer.ts';
import type { Positions } from '../../../../shared/table/feed/read/feed-cursor.ts';
import { getPositionsAfter, readFeeds } from '../../../../shared/table/feed/read/read-feeds.ts';
import { feedMaintenanceKey } from '../../../../shared/table/keys/keys.ts';
import fc from '../../../support/setup/fast-check.ts';
import { selectSize } from '../../../support/setup/sample-size.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';

interface ProcessRun {
  /** Outcomes of the next calls, each removed when used. Further calls succeed. */
  outcomes: ('succeeds' | 'crashes before' | 'crashes after')[];
}
const processes = new AsyncLocalStorage<ProcessRun>();

class Crash extends Error {}

let feeds = 0;
/** Returns an inbox with a long id, so that chunks are short. */
const newInbox = (): Inbox => ({ kind: 'group', id: `${feeds++}`.padStart(128, 'g') });

/** Returns an entry; `at` is the time of the change in Unix seconds. */
const textOf = (writer: number, n: number, at: number) =>
  formatEntry({
    type: 'message.created',
    id: toMessageId({
      conversationId: `0000000000000000000000000${writer}`,
      sequence: n + 1,
      sentAt: 0,
    }),
    version: 1,
    at,
  });

/** Creates a reader that continues from its last position and collects the entries. */
function createReader(inbox: Inbox, limit: number) {
  let positions: Positions | undefined;
  const sequences: number[] = [];
  const texts: string[] = [];
  const read = async () => {
    const { start, entries, hasMore } = await readFeeds([inbox], positions, limit);
    positions = getPositionsAfter(start, entries);
    sequences.push(...entries.map(({ sequence }) => sequence));
    texts.push(...entries.map(({ entry }) => formatEntry(entry)));
    return hasMore;
  };
  return { read, sequences, texts };
}

const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant('succeeds' as const) },
  { weight: 1, arbitrary: fc.constantFrom('crashes before' as const, 'crashes after' as const) },
);
const outcomes = fc.array(outcome, { maxLength: 30 });
const hour = 3600;
const day = 24 * hour;

/** Number of entries in a batch. Large batches span several chunks. */
const batchSize = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 100 }));
const writers = fc.array(
  fc.record({
    batches: fc.array(
      // Publication may lag behind the change by up to a day.
      fc.record({ size: batchSize, lag: fc.constantFrom(0, 0, hour, day) }),
      { minLength: 1, maxLength: 3 },
    ),
    outcomes,
  }),
  { maxLength: 3 },
);
const readers = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 2 });
/** Steps that run concurrently, `days` after the previous round. */
interface Round {
  days: number;
  writers: { batches: { size: number; lag: number }[]; outcomes: ProcessRun['outcomes'] }[];
  /** Outcomes of each run of feed maintenance, including unnecessary runs. */
  maintenanceRuns: ProcessRun['outcomes'][];
}
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    days: fc.constantFrom(1, 15, 29.5, 30.5, 32, 32, 100),
    writers,
    maintenanceRuns: fc.array(outcomes, { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 4 },
);

const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = env('TABLE_NAME');

/** Removes expired items as DynamoDB's TTL does. Reports whether feed maintenance is due. */
async function removeExpired(inbox: Inbox, now: number): Promise<boolean> {
  const { pk, sk: check } = feedMaintenanceKey(inbox);
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :feed',
      FilterExpression: 'expires_at <= :now',
      ExpressionAttributeValues: { ':feed': pk, ':now': now },
      ConsistentRead: true,
    }),
  );
  let isDue = false;
  for (const { sk } of Items) {
    const removed = await table
      .send(
        new DeleteCommand({
          TableName,
          Key: { pk, sk },
          ConditionExpression: 'expires_at <= :now',
          ExpressionAttributeValues: { ':now': now },
        }),
      )
      .catch((error: Error) => {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
      });
    if (removed && sk === check) isDue = true;
  }
  return isDue;
}

/** Returns true if maintenance is scheduled, or if every chunk with entries has an expiry. */
async function isMaintained(inbox: Inbox): Promise<boolean> {
  const chunks = await getNewestChunks(inbox, 100);
  const hasUnexpiringChunk = chunks.some(
    ({ entries, expires_at }) => entries.length > 0 && expires_at === undefined,
  );
  const { Item } = await table.send(
    new GetCommand({ TableName, Key: feedMaintenanceKey(inbox), ConsistentRead: true }),
  );
  return !hasUnexpiringChunk || Item !== undefined;
}

/** Repeats the step until it completes. Each attempt after a crash starts without state. */
async function repeatUntilDone<Done>(
  run: ProcessRun,
  act: (isNew: boolean) => Promise<Done>,
): Promise<Done> {
  for (let isNew = false; ; isNew = true) {
    try {
      return await processes.run(run, () => act(isNew));
    } catch (error) {
      if (!(error instanceof ApiError && error.cause instanceof Crash)) throw error;
    }
  }
}

test('A reader that continues from its cursor receives every entry at its sequence number, even if writers and maintenance crash and older entries expire', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), rounds, readers, async (scheduler, plans, limits) => {
      const inbox = newInbox();
      let now = Math.floor(clock.now() / 1000);
      jest.spyOn(clock, 'now').mockImplementation(() => now * 1000);
      const undo = interceptCalls(async (_, proceed) => {
        await scheduler.schedule(Promise.resolve());
        const next = processes.getStore()?.outcomes.shift();
        if (next === 'crashes before') throw new Crash();
        await proceed();
        if (next === 'crashes after') throw new Crash();
      });
      const written: string[] = [];
      const textSequences = new Map<string, number>();
      const numbers = new Map<number, number>();
      const appenders = new Map<number, ReturnType<typeof createFeedWriter>>();
      const getAppender = (writer: number, isNew: boolean) => {
        const known = isNew ? undefined : appenders.get(writer);
        const append = known ?? createFeedWriter();
        appenders.set(writer, append);
        return append;
      };
      const write = async (
        { batches, outcomes: left }: Round['writers'][number],
        writer: number,
      ) => {
        for (const { size, lag } of batches) {
          const first = numbers.get(writer) ?? 0;
          numbers.set(writer, first + size);
          const texts = Array.from({ length: size }, (_, n) =>
            textOf(writer, first + n, now - lag),
          );
          written.push(...texts);
          const sequences = await repeatUntilDone({ outcomes: left }, (isNew) =>
            getAppender(writer, isNew)(inbox, texts),
          );
          for (const [text, sequence] of sequences) textSequences.set(text, sequence);
        }
      };
      const runMaintenance = async (left: ProcessRun['outcomes']) => {
        const maintain = () => repeatUntilDone({ outcomes: left }, () => maintainFeed(inbox));
        await maintain();
        await scheduler.schedule(Promise.resolve());
        if (await removeExpired(inbox, now)) await maintain();
      };
      const people = limits.map((limit) => createReader(inbox, limit));
      const round = async (plan: Round) => {
        now += plan.days * day;
        let writing = true;
        const keepReading = async ({ read }: (typeof people)[number]) => {
          while (writing) await read();
          while (await read());
        };
        const working = Promise.all([
          ...plan.writers.map(write),
          ...plan.maintenanceRuns.map(runMaintenance),
        ]).finally(() => {
          writing = false;
        });
        await Promise.all([working, ...people.map(keepReading)]);
        expect(await isMaintained(inbox)).toBe(true);
      };
      const all = async () => {
        for (const plan of plans) await round(plan);
        // From here on, only readers and maintenance run.
        for (const days of [32, 32, 32]) await round({ days, writers: [], maintenanceRuns: [[]] });
      };
      await scheduler.waitFor(all()).finally(undo);

      for (const { sequences, texts } of people) {
        expect(sequences).toEqual(sequences.map((_, n) => n + 1));
        expect([...new Set(texts)].sort()).toEqual(written.sort());
        for (const [text, sequence] of textSequences) expect(texts[sequence - 1]).toBe(text);
      }
      // Only an empty chunk remains, because it stores the next sequence number.
      const left = await getNewestChunks(inbox, 100);
      expect(left.map(({ entries }) => entries)).toEqual(written.length > 0 ? [[]] : []);
      expect(left.map(getChunkEnd)).toEqual(
        written.length > 0 ? [(people[0]?.sequences.length ?? 0) + 1] : [],
      );
    }),
    { numRuns: selectSize(4, 100) },
  );
}, 400_000);
