import { AsyncLocalStorage } from 'node:async_hooks';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import { deliverBatch } from '../../../../local-cloud/streams/deliver-batch.ts';
import { createLanes } from '../../../../local-cloud/streams/lanes.ts';
import type { StreamRecord } from '../../../../local-cloud/streams/stream-event.ts';
import { clock } from '../../../../shared/clock.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { logOutput } from '../../../../shared/log/log.ts';
import { formatEntry } from '../../../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../../../shared/table/feed/feed-writer.ts';
import { publishToFeeds } from '../../../../shared/table/feed/publish-to-feeds.ts';
import type { Positions } from '../../../../shared/table/feed/read/feed-cursor.ts';
import { getPositionsAfter, readFeeds } from '../../../../shared/table/feed/read/read-feeds.ts';
import { messageKey } from '../../../../shared/table/keys/keys.ts';
import { newMessage } from '../../../../shared/table/messages/log/message-item.ts';
import { seedConversations } from '../../../support/seeds/seed-conversations.ts';
import fc from '../../../support/setup/fast-check.ts';
import { selectSize } from '../../../support/setup/sample-size.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';

type CallOutcome = 'succeeds' | 'crashes before' | 'crashes after';
/** An invocation of a worker. After a crash, the invocation makes no more calls. */
interface Invocation {
  isCrashed: boolean;
}
const invocations = new AsyncLocalStorage<Invocation>();
class Crash extends Error {}

const outcomes = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<CallOutcome>('succeeds') },
    { weight: 1, arbitrary: fc.constantFrom<CallOutcome>('crashes before', 'crashes after') },
  ),
  { maxLength: 60 },
);
/** Each change sends or updates one of eight messages in one of three conversations. */
const changes = fc.array(
  fc.record({ conversation: fc.nat({ max: 2 }), message: fc.nat({ max: 7 }) }),
  { minLength: 1, maxLength: 120 },
);

let runs = 0;

async function createConversations() {
  runs += 1;
  const [ann = '', bob = '', carl = ''] = ['ann', 'bob', 'carl'].map((name) => `${name}-${runs}`);
  const created_at = clock.now();
  const pairs = [
    [ann, bob],
    [bob, ann],
    [bob, carl],
  ] as const;
  const seeds = pairs.map(([created_by, contact_id]) => ({ created_by, contact_id, created_at }));
  const ids = await seedConversations(seeds);
  return {
    people: [ann, bob, carl],
    conversations: ids.map((id, n) => ({ id, participants: pairs[n] ?? [] })),
  };
}

function toRecords(
  plan: readonly { conversation: number; message: number }[],
  { people, conversations }: Awaited<ReturnType<typeof createConversations>>,
) {
  const at = Math.floor(clock.now() / 1000);
  const images = new Map<string, Record<string, unknown>>();
  const expected = new Map(people.map((person) => [person, [] as string[]]));
  const records = plan.map(({ conversation, message }, n): StreamRecord => {
    const { id: conversationId, participants } = conversations[conversation] ?? {
      id: '',
      participants: [],
    };
    const position = { conversationId, sequence: message + 1, sentAt: at * 1000 };
    const item = newMessage(
      position,
      participants[0] ?? '',
      { message: 'Hello', attachments: [] },
      0,
    );
    const key = messageKey(conversationId, position.sequence);
    const before = images.get(item.id);
    const version = Number(before?.version ?? 0) + 1;
    const after = { ...key, ...item, version };
    images.set(item.id, after);
    const type = before ? 'message.updated' : 'message.created';
    const text = formatEntry({ type, id: item.id, version, at });
    for (const one of participants) expected.get(one)?.push(text);
    const toImage = (image: object) => marshall(image, { removeUndefinedValues: true });
    return {
      ...{ eventID: String(n), eventName: before ? 'MODIFY' : 'INSERT', eventVersion: '1.1' },
      ...{ eventSource: 'aws:dynamodb', awsRegion: 'us-east-1', eventSourceARN: 'arn' },
      dynamodb: {
        ...{ ApproximateCreationDateTime: at, SequenceNumber: String(n), SizeBytes: 1 },
        ...{ StreamViewType: 'NEW_AND_OLD_IMAGES', Keys: toImage(key) },
        ...{ OldImage: before && toImage(before), NewImage: toImage(after) },
      },
    };
  });
  return { records, expected };
}

/** Runs workers on parallel batches. Each worker keeps its cache until it crashes. */
async function runWorkers(records: readonly StreamRecord[], parallelBatches: number) {
  const idle: ReturnType<typeof createFeedWriter>[] = [];
  const invoke = async (batch: readonly StreamRecord[]) => {
    const invocation: Invocation = { isCrashed: false };
    const append = idle.pop() ?? createFeedWriter();
    const stream = batch.map(({ dynamodb }) => ({
      sequenceNumber: dynamodb.SequenceNumber,
      at: dynamodb.ApproximateCreationDateTime,
      before: dynamodb.OldImage,
      after: dynamodb.NewImage,
    }));
    const run = () => publishToFeeds(stream, undefined, append);
    const outcome = await invocations.run(invocation, run).catch(() => undefined);
    if (invocation.isCrashed || !outcome)
      return { ok: false as const, failure: { errorType: 'Error', errorMessage: 'crashed' } };
    idle.push(append);
    const batchItemFailures = [...outcome.failed].map(({ sequenceNumber }) => ({
      itemIdentifier: sequenceNumber,
    }));
    return { ok: true as const, reply: JSON.stringify({ batchItemFailures }) };
  };
  const mapping = {
    ...{ reportsItemFailures: true, bisects: true },
    ...{ maxRetries: Number.POSITIVE_INFINITY, maxAgeSeconds: Number.POSITIVE_INFINITY },
  };
  const lanes = createLanes({
    ...{ parallelBatches, batchSize: 20, stopping: new AbortController().signal },
    process: (batch) =>
      deliverBatch(mapping, batch, {
        invoke,
        abandon: () => {
          throw new Error('A worker abandoned a record.');
        },
        pause: async () => {},
      }),
    save: () => {},
  });
  lanes.add(records.map((record) => ({ record, isRelevant: true })));
  await lanes.settled();
  await lanes.hasRoom();
}

/** Reads a feed page by page while `isWriting` returns true, and then to its end. */
async function readWhile(person: string, isWriting: () => boolean) {
  const inbox: Inbox = { kind: 'contact', id: person };
  const read: { sequence: number; text: string }[] = [];
  let positions: Positions | undefined;
  for (let more = true; more || isWriting(); ) {
    const wasWriting = isWriting();
    const page = await readFeeds([inbox], positions, 10);
    positions = getPositionsAfter(page.start, page.entries);
    for (const { sequence, entry } of page.entries)
      read.push({ sequence, text: formatEntry(entry) });
    more = page.hasMore || wasWriting;
  }
  return read;
}

test('If parallel workers crash, feeds still contain every event, and the versions of each message are in order', async () => {
  logOutput.print = () => {};
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      changes,
      outcomes,
      fc.integer({ min: 2, max: 4 }),
      async (scheduler, plan, outcomesLeft, parallelBatches) => {
        const cast = await createConversations();
        const { records, expected } = toRecords(plan, cast);
        const left = [...outcomesLeft];
        const undo = interceptCalls(async (_, proceed) => {
          const invocation = invocations.getStore();
          await scheduler.schedule(Promise.resolve());
          const callOutcome = invocation && left.shift();
          if (invocation && (invocation.isCrashed || callOutcome === 'crashes before')) {
            invocation.isCrashed = true;
            throw new Crash();
          }
          await proceed();
          if (invocation && callOutcome === 'crashes after') {
            invocation.isCrashed = true;
            throw new Crash();
          }
        });
        let isWriting = true;
        const act = async () => {
          const reading = cast.people.map((person) => readWhile(person, () => isWriting));
          await runWorkers(records, parallelBatches).finally(() => {
            isWriting = false;
          });
          return Promise.all(reading);
        };
        const feeds = await scheduler.waitFor(act()).finally(undo);

        for (const [n, person] of cast.people.entries()) {
          const read = feeds[n] ?? [];
          expect(read.map(({ sequence }) => sequence)).toEqual(read.map((_, n) => n + 1));
          const texts = [...new Set(read.map(({ text }) => text))];
          expect(texts.toSorted()).toEqual(expected.get(person)?.toSorted());
          const byMessage = (eventTexts: readonly string[]) =>
            Object.groupBy(eventTexts, (text) => text.slice(1, 45));
          expect(byMessage(texts)).toEqual(byMessage(expected.get(person) ?? []));
        }
      },
    ),
    { numRuns: selectSize(8, 100) },
  );
}, 400_000);
