import { invalidParameter } from '../../../api-error.ts';
import { type MessagePosition, parseMessageId, toMessageId } from '../../../ids.ts';
import { toAssignment, withIncrement } from '../../calls/expressions.ts';
import type { Step } from '../../calls/run-steps.ts';
import { conversationKey, messageKey } from '../../keys/keys.ts';
import { sharedChangeAttribute } from '../../keys/names.ts';
import type { ConversationItem } from '../items/conversation-item.ts';
import { toConversationCondition } from './unchanged-conditions.ts';

export const messageRule = 'must be the id of a message of this conversation';

/**
 * Returns the steps that set or remove the pin. The steps also mark the pinned message, so that its
 * deletion removes the pin. If the message is in another conversation, throws `parameter_invalid`;
 * if the message is missing, `runSteps` throws this error.
 */
export function pinSteps(
  conversation: ConversationItem,
  pinned: string | undefined,
  matchWholeReply: boolean,
): Step[] {
  const refusal = invalidParameter('pinned_message_id', messageRule);
  const next = pinned === undefined ? undefined : parseMessageId(pinned);
  if (pinned !== undefined && next?.conversationId !== conversation.id) throw refusal;
  const previous = parseMessageId(conversation.pinned_message_id ?? '');
  // An id with the sequence number of the pinned message but a different timestamp is invalid. This
  // check is needed because a transaction cannot contain an item twice.
  if (next && next.sequence === previous?.sequence) throw refusal;
  const unchanged = toConversationCondition(conversation, matchWholeReply);
  const assignment = toAssignment(
    { pinned_message_id: pinned, [sharedChangeAttribute]: true },
    unchanged,
  );
  const pinUpdate = withIncrement('version', assignment);
  return [
    { write: { update: { Key: conversationKey(conversation.id), ...pinUpdate } } },
    ...(next ? [{ ...toMessagePinStep(next, true), refusal }] : []),
    ...(previous ? [toMessagePinStep(previous, undefined)] : []),
  ];
}

function toMessagePinStep(position: MessagePosition, pinned: true | undefined): Step {
  const key = messageKey(position.conversationId, position.sequence);
  // The write fails if the message was deleted or if the time in the given id is wrong.
  const isSameMessage = {
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': toMessageId(position) },
  };
  return { write: { update: { Key: key, ...toAssignment({ pinned }, isSameMessage) } } };
}
