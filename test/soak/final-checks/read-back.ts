import type { Operation } from '../../../shared/contract/operation.ts';
import {
  listBusinesses,
  listMessages,
  retrieveContact,
  retrieveConversation,
} from '../../../shared/contract/operations.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { isParticipant } from '../../response-invariants/permissions.ts';
import type { SendRequest } from '../client/api-client.ts';
import { type Caller, isSuccess } from '../exchange/exchange.ts';
import { hasNoDeletion, isDeleted, type Model } from '../model/model.ts';
import { mustParticipate } from '../model/user-groups.ts';
import { withUnreadCount } from '../workload/read-messages.ts';
import { walkConversations } from '../workload/walk-conversations.ts';

const maxPageSize = '100';
const maxAttempts = 5;
const maxDeletedReads = 200;

const flagQueries = [{}, { value: 'true' }];
const filters = flagQueries.flatMap((muted) =>
  flagQueries.flatMap((archived) =>
    flagQueries.map((pinned) => ({
      ...(muted.value && { muted: muted.value }),
      ...(archived.value && { archived: archived.value }),
      ...(pinned.value && { pinned: pinned.value }),
    })),
  ),
);

/**
 * Reads all data that each caller may see. The traffic has ended, so the checks are exact. Each
 * caller reads a conversation with `peek` before marking its messages as read.
 */
export async function readBack(
  model: Model,
  sendRequest: SendRequest,
  people: readonly Caller[],
): Promise<void> {
  for (const caller of people) {
    await readAll(model, sendRequest, caller, {});
    await readAll(model, sendRequest, caller, { active: 'true' }, listBusinesses);
    await readAll(model, sendRequest, caller, { format: 'camelCase' }, listBusinesses);
  }
  for (const caller of people) {
    for (const { id } of people) {
      await withRetries(async () => {
        const { reply } = await sendRequest(caller, retrieveContact, { path: { contact_id: id } });
        return reply.status !== 503;
      });
    }
  }
  for (const caller of people) {
    for (const filter of filters) {
      if (
        !(await withRetries(() =>
          walkConversations({ sendRequest, model }, caller, filter, maxPageSize),
        ))
      ) {
        model.report({ expected: `that ${caller.id} can read the list of conversations` });
      }
    }
  }
  for (const caller of people) {
    for (const conversation of model.conversations.values()) {
      if (
        !hasNoDeletion(conversation) ||
        !mustParticipate(model, conversation, caller, {
          startOrder: model.now,
          ended: model.now + 1,
        })
      )
        continue;
      const { id } = conversation;
      await readAll(model, sendRequest, caller, { conversation_id: id, peek: 'true' });
      await count(model, sendRequest, caller, id);
      await readAll(model, sendRequest, caller, { conversation_id: id });
      await count(model, sendRequest, caller, id);
    }
  }
  await readDeleted(model, sendRequest, people);
}

async function readAll(
  model: Model,
  sendRequest: SendRequest,
  caller: Caller,
  filter: Record<string, string>,
  row: Operation = listMessages,
): Promise<void> {
  let query: Record<string, string> | undefined = { ...filter, limit: maxPageSize };
  while (query) {
    const sent = { query };
    let next: Record<string, string> | undefined;
    const read = await withRetries(async () => {
      const exchange = await sendRequest(caller, row, sent);
      next = getLinkQuery(exchange.reply.headers.get('link'), 'next');
      return isSuccess(exchange);
    });
    if (!read)
      model.report({ expected: `that ${caller.id} can read ${row.id} ${JSON.stringify(filter)}` });
    query = next;
  }
}

async function count(
  model: Model,
  sendRequest: SendRequest,
  caller: Caller,
  conversation_id: string,
): Promise<void> {
  const sent = { path: { conversation_id }, query: withUnreadCount };
  if (
    !(await withRetries(async () =>
      isSuccess(await sendRequest(caller, retrieveConversation, sent)),
    ))
  ) {
    model.report({ expected: `that ${caller.id} can count unread messages of ${conversation_id}` });
  }
}

async function readDeleted(
  model: Model,
  sendRequest: SendRequest,
  people: readonly Caller[],
): Promise<void> {
  const deleted = [...model.conversations.values()].filter((one) => isDeleted(one, model.now));
  for (const conversation of deleted.slice(-maxDeletedReads)) {
    const participants = people.filter((caller) => isParticipant(conversation, caller));
    for (const caller of participants.slice(0, 2)) {
      await sendRequest(caller, retrieveConversation, {
        path: { conversation_id: conversation.id },
      });
    }
  }
}

/** Retries a request because a service on a slow machine may refuse it. */
async function withRetries(run: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) if (await run()) return true;
  return false;
}
