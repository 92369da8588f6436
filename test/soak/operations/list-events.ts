import { listEvents } from '../../../shared/contract/operations.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { isDeleted } from '../model/model.ts';
import { getPossibleMembership, mayParticipate } from '../model/user-groups.ts';
import { type OperationCheck, parseBody } from './operation-check.ts';

/**
 * Checks that sequence numbers increase in each feed, that only participants receive a resource,
 * and that a resource deleted before the request has only its deletion event.
 */
export const checkListEvents: OperationCheck = (model, request) => (exchange) => {
  if (!isSuccess(exchange)) return;
  const report = (expected: string) => model.report({ expected, exchange });
  const last = new Map<string, number>();
  for (const { feed, place, payload } of parseBody(listEvents.reply, exchange).data) {
    if (place <= (last.get(feed) ?? 0))
      report(`increasing sequence numbers in feed ${feed}, not ${place}`);
    last.set(feed, place);
    if (!payload || 'deleted' in payload) continue;
    const groupId = getGroupId(payload);
    const isKnown = groupId !== undefined && model.userGroups.has(groupId);
    if (isKnown && !getPossibleMembership(model, groupId, request.caller.id, exchange).has(true))
      report(`no data of ${groupId}, as the caller is not a member`);
    const id = 'conversation_id' in payload ? payload.conversation_id : payload.id;
    const conversation = model.conversations.get(id);
    // The model does not contain a conversation whose creation has no reply yet.
    if (!conversation) continue;
    const message = model.messages.get(payload.id);
    if (!mayParticipate(model, conversation, request.caller, exchange))
      report(`no data of ${id}, as the caller is not a participant`);
    if (
      isDeleted(conversation, request.startOrder) ||
      (message && isDeleted(message, request.startOrder))
    ) {
      report(`only the deletion of ${payload.id}, as the resource was deleted before`);
    }
  }
};

/** Returns the id of the user group if the payload is a user group or one of its members. */
function getGroupId(payload: object & { id: string }): string | undefined {
  if ('member_count' in payload) return payload.id;
  return 'joined_at' in payload && 'group_id' in payload ? String(payload.group_id) : undefined;
}
