import { listReaders } from '../../../shared/contract/operations.ts';
import { isParticipant } from '../../response-invariants/permissions.ts';
import { checkOutcome, checkStatus } from '../checks/check-status.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { getSettings } from '../model/conversation-model.ts';
import { findConversation, type OperationCheck, parseBody } from './operation-check.ts';

/** Checks that a page lists each reader once, sorted by the last opening, latest first. */
export const checkListReaders: OperationCheck = (model, request) => {
  const conversation = findConversation(model, request);
  return (exchange) => {
    checkStatus(model, exchange, 200, 404);
    checkOutcome(model, exchange, { conversation });
    if (!conversation || !isSuccess(exchange)) return;
    const { data } = parseBody(listReaders.reply, exchange);
    const report = (expected: string) => model.report({ expected, exchange, conversation });
    const ids = data.map(({ contact_id }) => contact_id);
    if (new Set(ids).size < ids.length) report('each reader once');
    const times = data.map(({ last_opened_at }) => last_opened_at);
    if (times.some((time, n) => time > (times[n - 1] ?? Number.POSITIVE_INFINITY)))
      report('the most recent opening first');
    for (const { contact_id: id, last_read_message_id } of data) {
      const groups = [...(model.memberships.get(id) ?? [])];
      if (!isParticipant(conversation, { id, groups })) report(`no reader ${id}`);
      if (getSettings(conversation, id).opened.firstStart > exchange.ended)
        report(`no reader ${id}, who has not opened the conversation`);
      if (last_read_message_id !== null && !last_read_message_id.startsWith(conversation.id))
        report(`last_read_message_id of ${id} in this conversation`);
    }
  };
};
