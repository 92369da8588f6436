import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { ConversationSeed } from '../support/seeds/seed-conversations.ts';
import { startFakeAppSync } from '../support/workers/fake-appsync.ts';
import type { Section } from './report/section.ts';

const batchSize = 100;
const batchesPerRound = 5;

interface Workload {
  name: string;
  /** The conversations that receive messages in turn. */
  seeds: ConversationSeed[];
}

/**
 * Measures how many new messages per second the live worker publishes if it handles one batch at a
 * time.
 */
export async function measureLiveWorker(rounds: number): Promise<Section> {
  const push = await startFakeAppSync();
  const { handler } = await import('../../functions/live.ts');
  const workloads = getWorkloads();
  const measured = [];
  for (const { name, seeds } of workloads)
    measured.push({ name, values: [] as number[], next: await createRecords(seeds) });
  // The first round is a warm-up, whose values are dropped.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { values, next } of measured) {
      const batches = Array.from({ length: batchesPerRound }, () => next(batchSize));
      const start = performance.now();
      for (const Records of batches) {
        const context = { getRemainingTimeInMillis: () => 30_000 };
        const reply = await handler({ Records } as DynamoDBStreamEvent, context as Context);
        if (reply.batchItemFailures.length > 0) throw new Error('The live worker failed.');
      }
      const seconds = (performance.now() - start) / 1000;
      if (round > 0) values.push((batchSize * batchesPerRound) / seconds);
      push.publications();
    }
  }
  push.stop();
  return {
    id: 'live-worker',
    title: 'Live worker: changes per second',
    explanation:
      'On DynamoDB Local, the worker publishes messages to all recipients’ feeds and channels. One process handles one batch of 100 messages at a time; a stage handles two batches per shard.',
    unit: 'per second',
    hasRatio: false,
    rows: measured.map(({ name, values }) => ({ name, values })),
  };
}

function getWorkloads(): Workload[] {
  const created_at = Date.now();
  const pairs = (count: number, people: number) =>
    Array.from({ length: count }, (_, n) => ({
      created_by: `${people}-${n % people}`,
      contact_id: `${people}-${(n + 1) % people}`,
      created_at,
    }));
  return [
    { name: 'one group', seeds: [{ created_by: 'ann', group_id: 'crowd', created_at }] },
    { name: '20 people in pairs', seeds: pairs(20, 20) },
    { name: '1,000 people in pairs', seeds: pairs(1000, 1000) },
  ];
}

const Pair = v.object({ id: v.string(), created_by: v.string() });

/** Returns a function that creates stream records of the conversations' next messages. */
async function createRecords(seeds: ConversationSeed[]) {
  const { seedConversations } = await import('../support/seeds/seed-conversations.ts');
  const { newMessage } = await import('../../shared/table/messages/log/message-item.ts');
  const { messageKey } = await import('../../shared/table/keys/keys.ts');
  const ids = await seedConversations(seeds);
  const conversations = ids.map((id, n) => v.parse(Pair, { ...seeds[n], id }));
  let count = 0;
  const nextRecord = () => {
    const conversation = conversations[count % conversations.length];
    if (!conversation) throw new Error('There is no conversation.');
    const sequence = 1 + Math.floor(count / conversations.length);
    count += 1;
    const sentAt = Date.now();
    const position = { conversationId: conversation.id, sequence, sentAt };
    const content = { message: 'See you at the station at noon?', attachments: [] };
    const message = newMessage(position, conversation.created_by, content, sentAt);
    const key = messageKey(conversation.id, sequence);
    return {
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: String(count),
        ApproximateCreationDateTime: Math.floor(sentAt / 1000),
        NewImage: marshall({ ...key, ...message }, { removeUndefinedValues: true }),
      },
    };
  };
  return (length: number) => Array.from({ length }, nextRecord);
}
