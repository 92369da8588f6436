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
import { isAlive, isDeleted, type Model } from '../model/model.ts';
import { mustParticipate } from '../model/user-groups.ts';
import { withUnreadCount } from '../workload/read-messages.ts';
import { walkConversations } from '../workload/walk-conversations.ts';

const maxOnAPage = '100';
const maxAttempts = 5;
/** Maximum number of deleted conversations to retrieve. Each retrieval must return 404. */
const maxDeletedReads = 200;

const flagQueries = [{}, { value: 'true' }];
/** All combinations of the list filters `muted`, `archived` and `pinned`. */
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
 * Reads all data that each caller may see. The traffic has ended, so the checks are exact: no
 * missing, duplicate or deleted data, and the last value of each field. Requests that mark no
 * messages as read come first.
 */
export async function readBack(
  model: Model,
  ask: SendRequest,
  people: readonly Caller[],
): Promise<void> {
  for (const who of people) {
    await readAll(model, ask, who, {});
    await readAll(model, ask, who, { active: 'true' }, listBusinesses);
    await readAll(model, ask, who, { format: 'camelCase' }, listBusinesses);
  }
  for (const who of people) {
    for (const { id } of people) {
      await withRetries(async () => {
        const { reply } = await ask(who, retrieveContact, { path: { contact_id: id } });
        return reply.status !== 503;
      });
    }
  }
  for (const who of people) {
    for (const filter of filters) {
      if (!(await withRetries(() => walkConversations({ ask, model }, who, filter, maxOnAPage)))) {
        model.report({ expected: `that ${who.id} can read the list of conversations` });
      }
    }
  }
  for (const who of people) {
    for (const conversation of model.conversations.values()) {
      if (
        !isAlive(conversation) ||
        !mustParticipate(model, conversation, who, { startOrder: model.now, ended: model.now + 1 })
      )
        continue;
      const { id } = conversation;
      await readAll(model, ask, who, { conversation_id: id, peek: 'true' });
      await count(model, ask, who, id);
      await readAll(model, ask, who, { conversation_id: id });
      await count(model, ask, who, id);
    }
  }
  await readDeleted(model, ask, people);
}

async function readAll(
  model: Model,
  ask: SendRequest,
  who: Caller,
  filter: Record<string, string>,
  row: Operation = listMessages,
): Promise<void> {
  let query: Record<string, string> | undefined = { ...filter, limit: maxOnAPage };
  while (query) {
    const sent = { query };
    let next: Record<string, string> | undefined;
    const read = await withRetries(async () => {
      const exchange = await ask(who, row, sent);
      next = getLinkQuery(exchange.reply.headers.get('link'), 'next');
      return isSuccess(exchange);
    });
    if (!read)
      model.report({ expected: `that ${who.id} can read ${row.id} ${JSON.stringify(filter)}` });
    query = next;
  }
}

/** Requests the unread count, which the checker compares with the model. */
async function count(
  model: Model,
  ask: SendRequest,
  who: Caller,
  conversation_id: string,
): Promise<void> {
  const sent = { path: { conversation_id }, query: withUnreadCount };
  if (!(await withRetries(async () => isSuccess(await ask(who, retrieveConversation, sent))))) {
    model.report({ expected: `that ${who.id} can count unread messages of ${conversation_id}` });
  }
}

async function readDeleted(
  model: Model,
  ask: SendRequest,
  people: readonly Caller[],
): Promise<void> {
  const deleted = [...model.conversations.values()].filter((one) => isDeleted(one, model.now));
  for (const conversation of deleted.slice(-maxDeletedReads)) {
    const participants = people.filter((who) => isParticipant(conversation, who));
    for (const who of participants.slice(0, 2)) {
      await ask(who, retrieveConversation, { path: { conversation_id: conversation.id } });
    }
  }
}

/** Retries a request, because a service on a slow machine may refuse it. */
async function withRetries(run: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) if (await run()) return true;
  return false;
}
