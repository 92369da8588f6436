import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { create, removeMessage, send } from '../../support/handlers/api-calls.ts';
import type { Participant } from './abuse-run.ts';

/**
 * Maximum number of concurrent operations. Handlers in this process seed the histories, because
 * they store the same items as requests over HTTP, but faster.
 */
const maxConcurrent = 20;

const hour = 3_600_000;
/** Milliseconds between two messages of a history. */
const spacing = 2;

export async function withClockHoursAgo<Result>(
  hours: number,
  action: () => Promise<Result>,
): Promise<Result> {
  const { now } = clock;
  clock.now = () => now() - hours * hour;
  try {
    return await action();
  } finally {
    clock.now = now;
  }
}

export const openConversation = async (
  { caller }: Participant,
  body: { contact_id?: string; group_id?: string },
) => (await create(caller, body)).id;

export async function sendTexts(
  { caller }: Participant,
  id: string,
  texts: string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push((await send(caller, id, text)).id);
  return ids;
}

export const deletionOrders = {
  'the oldest first': (ids: string[]) => ids,
  'the newest first': (ids: string[]) => ids.toReversed(),
  'every second, then the others': (ids: string[]) => [
    ...ids.filter((_, n) => n % 2 === 0),
    ...ids.filter((_, n) => n % 2 === 1),
  ],
  'in random order': (ids: string[]) =>
    ids
      .map((id, n) => ({ id, lot: (n * 7919) % 104_729 }))
      .sort((a, b) => a.lot - b.lot)
      .map(({ id }) => id),
};
export type DeletionOrder = keyof typeof deletionOrders;

export async function deleteMany({ caller }: Participant, ids: string[]): Promise<void> {
  await mapConcurrently(ids, (id) => removeMessage(caller, id));
}

/**
 * Adds `first` messages to a new conversation, then `count` messages that their sender deletes. If
 * `retainOneIn` is set, retains one of every `retainOneIn` messages.
 */
export async function seedDeletedMessages(
  participant: Participant,
  id: string,
  options: {
    first: number;
    count: number;
    order?: DeletionOrder | undefined;
    retainOneIn?: number | undefined;
  },
): Promise<{ messages: { id: string; text: string }[]; deleted: string[] }> {
  const { first, count, order = 'the oldest first', retainOneIn } = options;
  const { seedMessages } = await import('../../support/seeds/seed-messages.ts');
  const begun = clock.now() - (first + count) * spacing;
  const timeOf = (sequence: number) => begun + sequence * spacing;
  const text = 'Hello';
  await seedMessages(id, participant.id, first + count, timeOf, text);
  const all = Array.from({ length: first + count }, (_, n) => ({
    id: toMessageId({ conversationId: id, sequence: n + 1, sentAt: timeOf(n + 1) }),
    text: `${n + 1}: ${text}`,
  }));
  const isLeft = (n: number) => n < first || (retainOneIn !== undefined && n % retainOneIn === 0);
  const messages = all.filter((_, n) => isLeft(n));
  const deleted = all.filter((_, n) => !isLeft(n)).map((one) => one.id);
  await deleteMany(participant, deletionOrders[order](deleted));
  return { messages, deleted };
}

/** Limits concurrency, and returns the results in order. */
export async function mapConcurrently<Item, Result>(
  items: Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += maxConcurrent) {
    results.push(...(await Promise.all(items.slice(at, at + maxConcurrent).map(action))));
  }
  return results;
}

const Keys = v.object({ pk: v.string(), sk: v.string() });

/** Removes the conversation's items that have an expiry, to simulate DynamoDB's TTL. */
export async function removeExpired(conversationId: string): Promise<void> {
  const { queryPage } = await import('../../../shared/table/calls/access.ts');
  const { documentClient } = await import('../../support/table/document-client.ts');
  const { conversationKey } = await import('../../../shared/table/keys/keys.ts');
  const { pk } = conversationKey(conversationId);
  let start: Record<string, unknown> | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    const expiring = page.items.filter(({ expires_at }) => expires_at !== undefined);
    for (let at = 0; at < expiring.length; at += 25) {
      const requests = expiring
        .slice(at, at + 25)
        .map((item) => ({ DeleteRequest: { Key: v.parse(Keys, item) } }));
      await documentClient.send(
        new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } }),
      );
    }
    start = page.next;
  } while (start);
}
