import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { transact } from '../../calls/access.ts';
import { toAssignment, toUnchangedCondition, withIncrement } from '../../calls/expressions.ts';
import type { Step } from '../../calls/run-steps.ts';
import { assignmentKey, conversationKey, toAssignedKeys } from '../../keys/keys.ts';
import { sharedChangeAttribute } from '../../keys/names.ts';
import { isStaff } from '../items/assignment.ts';
import type { ConversationItem } from '../items/conversation-item.ts';
import { toConversationCondition } from './unchanged-conditions.ts';

/** Throws `not_allowed` unless the caller is on the staff of the conversation's business. */
export function requireStaff(conversation: ConversationItem, caller: Caller): void {
  if (isStaff(conversation, caller)) return;
  throw new ApiError('not_allowed', {
    message: 'Only the staff of a business can assign its conversations.',
    param: 'assigned_to',
  });
}

/** Returns the steps that assign a conversation, or unassign it if `assignee` is undefined. */
export function assignSteps(
  conversation: ConversationItem,
  assignee: string | undefined,
  matchWholeReply: boolean,
): Step[] {
  const { id, group_id = '' } = conversation;
  const unchanged = toConversationCondition(conversation, matchWholeReply);
  const assignment = toAssignment(
    { assigned_to: assignee, [sharedChangeAttribute]: true },
    unchanged,
  );
  const update = withIncrement('version', assignment);
  const sameAssignee = toUnchangedCondition(conversation, ['assigned_to']);
  const indexed = { ...toAssignedKeys(id, group_id, assignee), assigned_to: assignee };
  return [
    { write: { update: { Key: conversationKey(id), ...update } } },
    { write: { update: { Key: assignmentKey(id), ...toAssignment(indexed, sameAssignee) } } },
  ];
}

/** Unassigns a conversation if it is assigned to the contact. */
export async function unassign(conversation: ConversationItem, contactId: string): Promise<void> {
  if (conversation.assigned_to !== contactId) return;
  await transact(assignSteps(conversation, undefined, false).map(({ write }) => write));
}
