import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../shared/env.ts';
import { newConversationId } from '../../shared/ids.ts';
import { client } from '../../shared/table/client.ts';
import {
  type ConversationItem,
  newConversation,
  storedConversation,
} from '../../shared/table/conversations.ts';
import { flagStep } from '../../shared/table/flags.ts';
import type { Settings } from '../../shared/table/settings.ts';
import { takeAll } from '../../shared/table/steps.ts';

const batchSize = 25;

export interface Seed {
  created_by: string;
  contact_id?: string | undefined;
  group_id?: string | undefined;
  /** Milliseconds. */
  created_at: number;
  last_message_at?: number | undefined;
}

/** Stores conversations as creating them and writing in them would have, only quicker; gives their ids. */
export async function seedConversations(seeds: Seed[]): Promise<string[]> {
  const items = seeds.map(({ created_by, contact_id, group_id, created_at, last_message_at }) => {
    const id = newConversationId(created_at);
    const conversation: ConversationItem = newConversation(id, created_by, {
      contact_id,
      group_id,
    });
    return { ...conversation, message_count: last_message_at ? 1 : 0, last_message_at };
  });
  for (let at = 0; at < items.length; at += batchSize) {
    const requests = items
      .slice(at, at + batchSize)
      .map((item) => ({ PutRequest: { Item: storedConversation(item) } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } }));
  }
  return items.map(({ id }) => id);
}

/** Sets the contact's flags of conversations, of which nothing is set yet. */
export async function seedFlags(
  contactId: string,
  conversationIds: string[],
  flagsOf: (n: number) => Settings,
): Promise<void> {
  for (let at = 0; at < conversationIds.length; at += batchSize) {
    await Promise.all(
      conversationIds.slice(at, at + batchSize).map((id, n) => {
        const before = { conversation: newConversation(id, contactId, {}), settings: {} };
        return takeAll([flagStep(before, contactId, flagsOf(at + n), false)]);
      }),
    );
  }
}
