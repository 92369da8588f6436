import type { Caller } from '../../../caller.ts';
import { getItems } from '../../calls/access.ts';
import { conversationKey } from '../../keys/keys.ts';
import { type ConversationItem, parseVisibleConversation } from '../items/conversation-item.ts';

/**
 * Returns the conversations that the caller may see, keyed by id. Reads with strong consistency,
 * because an index may be stale.
 */
export async function getVisibleConversations(
  ids: readonly string[],
  caller: Caller,
): Promise<ReadonlyMap<string, ConversationItem>> {
  const items = await getItems(ids.map(conversationKey));
  const visible = items.flatMap((item) => parseVisibleConversation(caller, item) ?? []);
  return new Map(visible.map((one) => [one.id, one]));
}
