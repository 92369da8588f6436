import * as v from 'valibot';
import { listConversations } from '../../../shared/contract/operations.ts';
import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { checkWalk } from '../checks/check-walk.ts';
import { type Caller, type Exchange, isSuccess } from '../exchange/exchange.ts';
import type { Session } from '../session/session.ts';

/** Lists all pages, then checks the whole list. Returns false if a request fails. */
export async function walkConversations(
  { sendRequest, model }: Pick<Session, 'sendRequest' | 'model'>,
  caller: Caller,
  filters: Record<string, string>,
  limit: string,
): Promise<boolean> {
  const shown: Conversation[] = [];
  let first: Exchange | undefined;
  let query: Record<string, string> | undefined = { ...filters, limit };
  while (query) {
    const exchange = await sendRequest(caller, listConversations, { query });
    if (!isSuccess(exchange)) return false;
    first ??= exchange;
    shown.push(...v.parse(listConversations.reply, exchange.reply.body).data);
    query = getLinkQuery(exchange.reply.headers.get('link'), 'next');
    if (!query)
      checkWalk(
        model,
        { ...exchange, startOrder: first.startOrder, startedAt: first.startedAt },
        shown,
      );
  }
  return true;
}
