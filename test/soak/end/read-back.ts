import type { Operation } from '../../../shared/contract/operation.ts';
import {
  listBusinesses,
  listMessages,
  retrieveContact,
  retrieveConversation,
} from '../../../shared/contract/operations.ts';
import { linkedQuery } from '../../oracle/page.ts';
import { takesPart } from '../../oracle/participants.ts';
import type { Ask } from '../client.ts';
import { isDone, type Who } from '../exchange.ts';
import { isAlive, isGone, type Model } from '../model/model.ts';
import { counted } from '../workload/reading.ts';
import { walkConversations } from '../workload/walk-conversations.ts';

const maxOnAPage = '100';
const maxAttempts = 5;
/** Of a conversation that is deleted, everybody is exchangeText the same. */
const maxDeletedAsked = 200;

const onOrOff = [{}, { value: 'true' }];
/** All sets of flags, and no flag. */
const filters = onOrOff.flatMap((muted) =>
  onOrOff.flatMap((archived) =>
    onOrOff.map((pinned) => ({
      ...(muted.value && { muted: muted.value }),
      ...(archived.value && { archived: archived.value }),
      ...(pinned.value && { pinned: pinned.value }),
    })),
  ),
);

/**
 * Reads back all that everybody may see. As nothing moves any more, the pages' and walks' own judgement is exact: nothing
 * lost, nothing twice, nothing left, and all as it was last set. First what marks nothing as read.
 */
export async function readBack(model: Model, ask: Ask, people: readonly Who[]): Promise<void> {
  for (const who of people) {
    await readAll(model, ask, who, {});
    await readAll(model, ask, who, { active: 'true' }, listBusinesses);
    await readAll(model, ask, who, { format: 'camelCase' }, listBusinesses);
  }
  for (const who of people) {
    for (const { id } of people) {
      await tried(async () => {
        const { reply } = await ask(who, retrieveContact, { path: { contact_id: id } });
        return reply.status !== 503;
      });
    }
  }
  for (const who of people) {
    for (const filter of filters) {
      if (!(await tried(() => walkConversations({ ask, model }, who, filter, maxOnAPage)))) {
        model.report({ expected: `that ${who.id} can read the list of conversations` });
      }
    }
  }
  for (const who of people) {
    for (const conversation of model.conversations.values()) {
      if (!isAlive(conversation) || !takesPart(conversation, who)) continue;
      const { id } = conversation;
      await readAll(model, ask, who, { conversation_id: id, peek: 'true' });
      await count(model, ask, who, id);
      await readAll(model, ask, who, { conversation_id: id });
      await count(model, ask, who, id);
    }
  }
  await requestDeleted(model, ask, people);
}

async function readAll(
  model: Model,
  ask: Ask,
  who: Who,
  filter: Record<string, string>,
  row: Operation = listMessages,
): Promise<void> {
  let query: Record<string, string> | undefined = { ...filter, limit: maxOnAPage };
  while (query) {
    const sent = { query };
    let next: Record<string, string> | undefined;
    const read = await tried(async () => {
      const exchange = await ask(who, row, sent);
      next = linkedQuery(exchange.reply.headers.get('link'), 'next');
      return isDone(exchange);
    });
    if (!read)
      model.report({ expected: `that ${who.id} can read ${row.id} ${JSON.stringify(filter)}` });
    query = next;
  }
}

/** What is unread, before it was listed and after. */
async function count(model: Model, ask: Ask, who: Who, conversation_id: string): Promise<void> {
  const sent = { path: { conversation_id }, query: counted };
  if (!(await tried(async () => isDone(await ask(who, retrieveConversation, sent))))) {
    model.report({ expected: `that ${who.id} can count what is unread in ${conversation_id}` });
  }
}

async function requestDeleted(model: Model, ask: Ask, people: readonly Who[]): Promise<void> {
  const deleted = [...model.conversations.values()].filter((one) => isGone(one, model.now));
  for (const conversation of deleted.slice(-maxDeletedAsked)) {
    const participants = people.filter((who) => takesPart(conversation, who));
    for (const who of participants.slice(0, 2)) {
      await ask(who, retrieveConversation, { path: { conversation_id: conversation.id } });
    }
  }
}

/** On a slow machine one may be refused. */
async function tried(run: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) if (await run()) return true;
  return false;
}
