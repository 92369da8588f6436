import { notFound } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { requireNotErased } from '../../contacts.ts';
import { requireUnblocked } from '../items/blocked.ts';
import { getConversation } from '../items/find-access.ts';

/**
 * Throws unless the caller can send messages in the conversation: `not_found`, `blocked`,
 * `blocking` or, for an erased contact, `not_allowed`.
 */
export async function requireWritable(conversationId: string, caller: Caller): Promise<void> {
  requireNotErased(caller);
  const found = await getConversation(conversationId, caller);
  if (!found) throw notFound('conversation_id');
  requireUnblocked(found.conversation, caller);
}
