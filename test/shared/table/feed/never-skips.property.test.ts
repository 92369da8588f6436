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
import type { Positions } from '../../../../shared/table/feed/feed-cursor.ts';
import { formatEntry } from '../../../../shared/table/feed/feed-entry.ts';
import { maintainFeed } from '../../../../shared/table/feed/feed-maintenance.ts';
import { createFeedWriter } from '../../../../shared/table/feed/feed-writer.ts';
import { getPositionsAfter, readFeeds } from '../../../../shared/table/feed/read-feeds.ts';
import { feedMaintenanceKey } from '../../../../shared/table/keys/keys.ts';
import fc from '../../../support/setup/fast-check.ts';
import { sized } from '../../../support/setup/sample-size.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';

/** The outcomes of a process's table calls. The process may crash at each call. */
interface Life {
  /** Outcomes of the next calls, each removed when used. Further calls succeed. */
  fates: ('lives' | 'dies before' | 'dies after')[];
}
const lives = new AsyncLocalStorage<Life>();

class Dead extends Error {}

let feeds = 0;
/** Returns an inbox with a long id, so that chunks are short. */
const newInbox = (): Inbox => ({ kind: 'group', id: `${feeds++}`.padStart(128, 'g') });

/** Returns the n-th entry of a writer, for a change at the given time in Unix seconds. */
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
function readerOf(inbox: Inbox, limit: number) {
  let positions: Positions | undefined;
  const sequences: number[] = [];
  const texts: string[] = [];
  const read = async () => {
    const { start, entries, more } = await readFeeds([inbox], positions, limit);
    positions = getPositionsAfter(start, entries);
    sequences.push(...entries.map(({ sequence: place }) => place));
    texts.push(...entries.map(({ entry }) => formatEntry(entry)));
    return more;
  };
  return { read, places: sequences, texts };
}

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant('lives' as const) },
  { weight: 1, arbitrary: fc.constantFrom('dies before' as const, 'dies after' as const) },
);
const fates = fc.array(fate, { maxLength: 30 });
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
    fates,
  }),
  { maxLength: 3 },
);
const readers = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 2 });
/** Steps that run concurrently, `days` after the previous round. */
interface Round {
  days: number;
  writers: { batches: { size: number; lag: number }[]; fates: Life['fates'] }[];
  /** Outcomes of each run of feed maintenance. There are more runs than necessary. */
  keepers: Life['fates'][];
}
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    days: fc.constantFrom(1, 15, 29.5, 30.5, 32, 32, 100),
    writers,
    keepers: fc.array(fates, { minLength: 1, maxLength: 2 }),
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

/**
 * Returns true if maintenance is scheduled, or if maintenance is unnecessary because every chunk
 * with entries has an expiry.
 */
async function isLookedAfter(inbox: Inbox): Promise<boolean> {
  const chunks = await getNewestChunks(inbox, 100);
  const isThere = chunks.some(
    ({ entries, expires_at }) => entries.length > 0 && expires_at === undefined,
  );
  const { Item } = await table.send(
    new GetCommand({ TableName, Key: feedMaintenanceKey(inbox), ConsistentRead: true }),
  );
  return !isThere || Item !== undefined;
}

/** Repeats the step until it completes. Each attempt after a crash starts without state. */
async function untilDone<Done>(life: Life, act: (isNew: boolean) => Promise<Done>): Promise<Done> {
  for (let isNew = false; ; isNew = true) {
    try {
      return await lives.run(life, () => act(isNew));
    } catch (error) {
      if (!(error instanceof ApiError && error.cause instanceof Dead)) throw error;
    }
  }
}

test('A reader that continues from its cursor receives every entry at its sequence number, even if writers and maintenance crash and older entries expire', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), rounds, readers, async (scheduler, plans, limits) => {
      const inbox = newInbox();
      let now = Math.floor(clock.now() / 1000);
      jest.spyOn(clock, 'now').mockImplementation(() => now * 1000);
      const undo = interceptCalls(async (_, goOn) => {
        await scheduler.schedule(Promise.resolve());
        const next = lives.getStore()?.fates.shift();
        if (next === 'dies before') throw new Dead();
        await goOn();
        if (next === 'dies after') throw new Dead();
      });
      const written: string[] = [];
      const placed = new Map<string, number>();
      const numbers = new Map<number, number>();
      const appenders = new Map<number, ReturnType<typeof createFeedWriter>>();
      const appenderOf = (writer: number, isNew: boolean) => {
        const known = isNew ? undefined : appenders.get(writer);
        const append = known ?? createFeedWriter();
        appenders.set(writer, append);
        return append;
      };
      const write = async ({ batches, fates: left }: Round['writers'][number], writer: number) => {
        for (const { size, lag } of batches) {
          const first = numbers.get(writer) ?? 0;
          numbers.set(writer, first + size);
          const texts = Array.from({ length: size }, (_, n) =>
            textOf(writer, first + n, now - lag),
          );
          written.push(...texts);
          const sequences = await untilDone({ fates: left }, (isNew) =>
            appenderOf(writer, isNew)(inbox, texts),
          );
          for (const [text, sequence] of sequences) placed.set(text, sequence);
        }
      };
      const keep = async (left: Life['fates']) => {
        const lookAfter = () => untilDone({ fates: left }, () => maintainFeed(inbox));
        await lookAfter();
        await scheduler.schedule(Promise.resolve());
        if (await removeExpired(inbox, now)) await lookAfter();
      };
      const people = limits.map((limit) => readerOf(inbox, limit));
      const round = async (plan: Round) => {
        now += plan.days * day;
        let writing = true;
        const readOn = async ({ read }: (typeof people)[number]) => {
          while (writing) await read();
          while (await read());
        };
        const working = Promise.all([
          ...plan.writers.map(write),
          ...plan.keepers.map(keep),
        ]).finally(() => {
          writing = false;
        });
        await Promise.all([working, ...people.map(readOn)]);
        expect(await isLookedAfter(inbox)).toBe(true);
      };
      const all = async () => {
        for (const plan of plans) await round(plan);
        // From here on, only readers and maintenance run.
        for (const days of [32, 32, 32]) await round({ days, writers: [], keepers: [[]] });
      };
      await scheduler.waitFor(all()).finally(undo);

      for (const { places, texts } of people) {
        expect(places).toEqual(places.map((_, n) => n + 1));
        expect([...new Set(texts)].sort()).toEqual(written.sort());
        for (const [text, sequence] of placed) expect(texts[sequence - 1]).toBe(text);
      }
      // Only an empty chunk remains, because it stores the next sequence number.
      const left = await getNewestChunks(inbox, 100);
      expect(left.map(({ entries }) => entries)).toEqual(written.length > 0 ? [[]] : []);
      expect(left.map(getChunkEnd)).toEqual(
        written.length > 0 ? [(people[0]?.places.length ?? 0) + 1] : [],
      );
    }),
    { numRuns: sized(4, 100) },
  );
}, 400_000);
