import { listConversations } from '../../../shared/contract/operations.ts';
import { isDone } from '../exchange.ts';
import { judgeConversationPage } from '../judge/conversation-page.ts';
import { judgeStatus } from '../judge/outcome.ts';
import { bodyOf, type Watch } from './watch.ts';

/** The bare id of a conversation that is gone is no cursor of the list by activity; the soak uses those of `Link`. */
export const watchListConversations: Watch = (model) => (exchange) => {
  judgeStatus(model, exchange, 200);
  if (!isDone(exchange)) return;
  judgeConversationPage(model, exchange, bodyOf(listConversations.reply, exchange).data);
};
