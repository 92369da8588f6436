import * as v from 'valibot';
import type { Conversation } from '../../../shared/contract/conversation.ts';
import { listConversations } from '../../../shared/contract/operations.ts';
import { linkedQuery } from '../../oracle/page.ts';
import { type Exchange, isDone, type Who } from '../exchange.ts';
import { judgeWalk } from '../judge/walk.ts';
import type { Session } from './person.ts';

/** Walks to the end of a list of conversations, and judges the walk as a whole; gives up when a page does not come. */
export async function walkConversations(
  { ask, model }: Pick<Session, 'ask' | 'model'>,
  who: Who,
  filters: Record<string, string>,
  limit: string,
): Promise<boolean> {
  const shown: Conversation[] = [];
  let first: Exchange | undefined;
  let query: Record<string, string> | undefined = { ...filters, limit };
  while (query) {
    const exchange = await ask(who, listConversations, { query });
    if (!isDone(exchange)) return false;
    first ??= exchange;
    shown.push(...v.parse(listConversations.reply, exchange.reply.body).data);
    query = linkedQuery(exchange.reply.headers.get('link'), 'next');
    if (!query)
      judgeWalk(model, { ...exchange, begun: first.begun, begunAt: first.begunAt }, shown);
  }
  return true;
}
