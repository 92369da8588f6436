import { ApiError } from '../../shared/api-error.ts';
import type { Caller } from '../../shared/caller.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import type { Inbox } from '../../shared/inbox.ts';
import { deleteConversation } from '../../shared/table/conversations/write/delete-conversation.ts';
import { type Chunk, emptyChunk } from '../../shared/table/feed/feed-chunk.ts';
import { retentionSeconds, scheduleMaintenance } from '../../shared/table/feed/feed-retention.ts';
import { changeMessage } from '../../shared/table/messages/write/change-message.ts';
import { deleteMessage } from '../../shared/table/messages/write/delete-message.ts';
import { removeItems } from '../stage/items.ts';
import type { StageTable } from '../stage/table.ts';
import type { Found } from './found.ts';

/**
 * Erases one thing of somebody's, as they could themselves: so whatever the operations promise
 * holds of it, the others are told, and markers do not pile up before readers. That it is gone
 * already is as well. A conversation is deleted here; which ones are to go is for the caller to
 * say.
 */
export async function eraseThing(
  { thing, conversation }: Found,
  id: string,
  table: StageTable,
): Promise<void> {
  const groups = conversation?.group_id === undefined ? [] : [conversation.group_id];
  const as = asThemself(id, groups);
  try {
    switch (thing.kind) {
      case 'conversation':
        return await deleteConversation(thing.conversation.id, as, undefined);
      case 'message':
        if (thing.isSent) return await deleteMessage(thing.message.id, as, undefined);
        await changeMessage(
          thing.message.id,
          as,
          { reactions: new Map(thing.reactions.map((name) => [name, []])) },
          undefined,
        );
        return;
      case 'events':
        return await eraseEvents({ kind: 'contact', id }, thing.chunk);
      default:
        return await removeItems(table, [{ ...thing.key }]);
    }
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'not_found';
    if (!isGone) throw error;
  }
}

/**
 * A chunk of the feed keeps its place in it, and nothing else: so no place is given again, and a
 * cursor from before expires. As it is emptied before its time, somebody is to look after the feed
 * once more.
 */
async function eraseEvents(inbox: Inbox, chunk: Chunk): Promise<void> {
  await scheduleMaintenance(inbox, toSeconds(clock.now()) + retentionSeconds);
  // Where something has come meanwhile, the next look meets it.
  await emptyChunk(inbox, chunk);
}

/** Nothing of a profile is stored by what is done here. */
const asThemself = (id: string, groups: readonly string[]): Caller => ({
  id,
  groups,
  tokenEndsAt: 0,
  username: null,
  phone_number: null,
  avatar_url: null,
});
