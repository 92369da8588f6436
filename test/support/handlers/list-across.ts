import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listMessages } from '../../../shared/contract/operations.ts';
import { env } from '../../../shared/env.ts';
import { conversationKey, toActivitySortKey } from '../../../shared/table/keys/keys.ts';
import { interceptCalls } from '../table/call-hooks.ts';
import { documentClient } from '../table/document-client.ts';
import { ok } from './invoke-handler.ts';

export const listAcross = (as: Caller, query: Record<string, string> = {}) =>
  ok(listMessages, { as, query });

export async function walkAcross(
  as: Caller,
  parameter: 'starting_after' | 'ending_before',
  { limit, from }: { limit: () => number; from?: string | undefined },
) {
  const pages: Awaited<ReturnType<typeof listAcross>>['data'][] = [];
  const limits: number[] = [];
  for (let cursor = from, more = true; more; ) {
    const wanted = limit();
    const page = await listAcross(as, {
      limit: String(wanted),
      ...(cursor !== undefined && { [parameter]: cursor }),
    });
    pages.push(page.data);
    limits.push(wanted);
    cursor = page.data.at(parameter === 'starting_after' ? -1 : 0)?.id;
    more = page.has_more;
  }
  return { pages, limits };
}

/** Marks a conversation as deleted but leaves it in the indexes. */
export const hideConversation = (conversationId: string) =>
  documentClient.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: conversationKey(conversationId),
      UpdateExpression: 'SET deleted_at = :now',
      ExpressionAttributeValues: { ':now': clock.now() },
    }),
  );

/** Sets the conversation's index key as if its last message had been sent at this Unix time. */
export const makeIndexStale = (conversationId: string, milliseconds: number) =>
  documentClient.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: conversationKey(conversationId),
      UpdateExpression: 'SET activity = :activity',
      ExpressionAttributeValues: { ':activity': toActivitySortKey(milliseconds, conversationId) },
    }),
  );

const LogQuery = v.object({
  ExpressionAttributeValues: v.object({ ':pk': v.string() }),
});

/** Runs the action and returns the ids of the conversations whose messages it read. */
export async function conversationsReadBy(act: () => Promise<unknown>): Promise<string[]> {
  const opened = new Set<string>();
  const undo = interceptCalls(async ({ input }, proceed) => {
    const query = v.safeParse(LogQuery, input);
    if (query.success && !query.output.ExpressionAttributeValues[':pk'].startsWith('CONTACT#')) {
      opened.add(query.output.ExpressionAttributeValues[':pk'].replace('CONVERSATION#', ''));
    }
    await proceed();
  });
  await act();
  undo();
  return [...opened];
}
