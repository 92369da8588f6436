import { invalid } from '../../../errors.ts';
import { type MessagePosition, messageId, parseMessageId } from '../../../ids.ts';
import { assigning, counting } from '../../calls/expressions.ts';
import type { Step } from '../../calls/steps.ts';
import { conversationKey, messageKey } from '../../keys/keys.ts';
import type { ConversationItem } from '../items/conversation-item.ts';
import { toConversationCondition } from './unchanged-conditions.ts';

/**
 * Pins a message, or none, in the place of the one that was: the conversation names it, and the message itself is
 * marked. As both change together, whoever deletes a message knows that it is pinned and unpins it, and a pin never
 * names a message that is gone. Throws `parameter_invalid` for an id that is not of the conversation; the step that
 * meets no such message refuses it likewise.
 */
export function pinSteps(
  conversation: ConversationItem,
  pinned: string | undefined,
  matchWholeReply: boolean,
): Step[] {
  const refusal = invalid('pinned_message_id', 'must be the id of a message of this conversation');
  const next = pinned === undefined ? undefined : parseMessageId(pinned);
  if (pinned !== undefined && next?.conversationId !== conversation.id) throw refusal;
  const previous = parseMessageId(conversation.pinned_message_id ?? '');
  // That place has the pinned message, which is another one; and no transaction may name an item twice.
  if (next && next.sequence === previous?.sequence) throw refusal;
  const unchanged = toConversationCondition(conversation, matchWholeReply);
  const pinUpdate = counting('version', assigning({ pinned_message_id: pinned }, unchanged));
  return [
    { write: { update: { Key: conversationKey(conversation.id), ...pinUpdate } } },
    ...(next ? [{ ...toMessagePinStep(next, true), refusal }] : []),
    ...(previous ? [toMessagePinStep(previous, undefined)] : []),
  ];
}

function toMessagePinStep(position: MessagePosition, pinned: true | undefined): Step {
  const key = messageKey(position.conversationId, position.sequence);
  // Not where it has been deleted, or where the place is that of an id with another time.
  const isSameMessage = {
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': messageId(position) },
  };
  return { write: { update: { Key: key, ...assigning({ pinned }, isSameMessage) } } };
}
