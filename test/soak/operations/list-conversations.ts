import { listConversations } from '../../../shared/contract/operations.ts';
import { checkConversationPage } from '../checks/check-conversation-page.ts';
import { checkStatus } from '../checks/check-status.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

/** Expects 200 for every cursor, because the soak test uses only cursors from `Link` headers. */
export const checkListConversations: OperationCheck = (model) => (exchange) => {
  checkStatus(model, exchange, 200);
  if (!isSuccess(exchange)) return;
  checkConversationPage(model, exchange, parseBody(listConversations.reply, exchange).data);
};
