import type { Caller } from '../../../caller.ts';
import { getItems } from '../../calls/access.ts';
import { conversationKey } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';

/** Returns the ids of conversations that the caller may see now. An index may be stale. */
export async function filterVisibleIds(ids: string[], caller: Caller): Promise<Set<string>> {
  const items = await getItems(ids.map(conversationKey));
  const visible = items.flatMap((item) => parseVisibleConversation(caller, item) ?? []);
  return new Set(visible.map(({ id }) => id));
}
