import { listConversations } from '../../../shared/contract/operations.ts';
import { checkConversationPage } from '../checks/check-conversation-page.ts';
import { checkStatus } from '../checks/check-status.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

/**
 * Expects 200 for every cursor: the soak test uses the cursors in `Link`, because the id of a
 * deleted conversation is not a valid cursor in the list by activity.
 */
export const checkListConversations: OperationCheck = (model) => (exchange) => {
  checkStatus(model, exchange, 200);
  if (!isSuccess(exchange)) return;
  checkConversationPage(model, exchange, parseBody(listConversations.reply, exchange).data);
};
