import type { Caller } from '../../../caller.ts';
import { getItems } from '../../calls/access.ts';
import { conversationKey } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';

/**
 * Returns the ids of those conversations in which the caller participates now. An index may be
 * stale, so its results must pass this check before they are returned.
 */
export async function filterVisibleIds(ids: string[], caller: Caller): Promise<Set<string>> {
  const items = await getItems(ids.map(conversationKey));
  const visible = items.flatMap((item) => parseVisibleConversation(caller, item) ?? []);
  return new Set(visible.map(({ id }) => id));
}
