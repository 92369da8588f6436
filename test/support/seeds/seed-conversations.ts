import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../../shared/env.ts';
import { newConversationId } from '../../../shared/ids.ts';
import { runSteps } from '../../../shared/table/calls/run-steps.ts';
import {
  type ConversationItem,
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import type { Settings } from '../../../shared/table/conversations/items/settings.ts';
import { settingsSteps } from '../../../shared/table/conversations/write/settings-steps.ts';
import { flaggedPartition, settingsKey } from '../../../shared/table/keys/keys.ts';
import { documentClient } from '../table/document-client.ts';

const batchSize = 25;
const batchesAtOnce = 8;

export interface ConversationSeed {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
  /** Milliseconds since 1970. */
  created_at: number;
  last_message_at?: number | undefined;
}

/** Stores conversations without messages directly in the table. Returns the conversations' ids. */
export async function seedConversations(seeds: ConversationSeed[]): Promise<string[]> {
  const items = seeds.map(({ created_by, contact_id, group_id, created_at, last_message_at }) => {
    const id = newConversationId(created_at);
    const conversation: ConversationItem = newConversation(id, created_by, {
      contact_id,
      group_id,
    });
    return { ...conversation, message_count: last_message_at ? 1 : 0, last_message_at };
  });
  await putAll(items.map(toStoredConversation));
  return items.map(({ id }) => id);
}

export async function putAll(items: object[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / batchSize) }, (_, n) =>
    items.slice(n * batchSize, (n + 1) * batchSize).map((Item) => ({ PutRequest: { Item } })),
  );
  for (let at = 0; at < batches.length; at += batchesAtOnce) {
    await Promise.all(
      batches
        .slice(at, at + batchesAtOnce)
        .map((requests) =>
          documentClient.send(
            new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } }),
          ),
        ),
    );
  }
}

/** Sets a contact's flags in conversations for which the contact has no settings. */
export async function seedFlags(
  contactId: string,
  conversationIds: string[],
  flagsOf: (n: number) => Settings,
): Promise<void> {
  for (let at = 0; at < conversationIds.length; at += batchSize) {
    await Promise.all(
      conversationIds.slice(at, at + batchSize).map((id, n) => {
        const before = { conversation: newConversation(id, contactId, {}), settings: {} };
        return runSteps(settingsSteps(before, contactId, flagsOf(at + n), false));
      }),
    );
  }
}

export const seedManyFlags = (
  contactId: string,
  conversationIds: string[],
  flags: Settings,
): Promise<void> =>
  putAll(
    conversationIds.map((id) => ({
      ...settingsKey(id, contactId),
      ...flags,
      version: 1,
      gsi3pk: flaggedPartition(contactId, {
        muted: flags.is_muted === true,
        archived: flags.archived_at !== undefined,
        pinned: flags.is_pinned === true,
      }),
      gsi3sk: id,
    })),
  );

/** Stores settings of `count` readers of a conversation. The first reader is `reader-000000`. */
export const seedReaders = (
  conversationId: string,
  count: number,
  toOpenedAt: (n: number) => number,
): Promise<void> =>
  putAll(
    Array.from({ length: count }, (_, n) => ({
      ...settingsKey(conversationId, `reader-${String(n).padStart(6, '0')}`),
      last_opened_at: toOpenedAt(n),
      openings: 1,
      read_place: 1 + (n % 3),
    })),
  );
