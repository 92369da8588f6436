import type { Caller } from '../../../caller.ts';
import { getItems } from '../../calls/access.ts';
import { conversationKey } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';

/**
 * Which of the conversations the caller takes part in now, by their ids. An index may be a moment behind: what was found
 * by one has to be asked here before anything of it is shown.
 */
export async function filterVisibleIds(ids: string[], caller: Caller): Promise<Set<string>> {
  const items = await getItems(ids.map(conversationKey));
  const visible = items.flatMap((item) => parseVisibleConversation(caller, item) ?? []);
  return new Set(visible.map(({ id }) => id));
}
