import type { OpenedConversation, Reader } from '../../generated/types.ts';
import { toError } from '../../to-error.ts';
import { isPermanent } from '../connection/failure-policy.ts';
import type { OpenConversationState } from '../live-context.ts';

/**
 * Loads the conversation's 100 most recent readers. If loading fails and a retry may succeed, sets
 * `hasStaleReaders`. Has no effect if the conversation is removed or the readers are loaded again
 * before the reply.
 */
export async function loadReaders(state: OpenConversationState): Promise<void> {
  state.readerLoads += 1;
  const { removals, readerLoads } = state;
  const isCurrent = () => state.removals === removals && state.readerLoads === readerLoads;
  // Events that arrive before the reply also take effect.
  state.readers ??= [];
  const since = state.live.changes.getTick();
  try {
    const readers = await fetchReaders(state);
    if (isCurrent()) applyLoaded(state, readers, since);
  } catch (cause) {
    if (isCurrent()) state.hasStaleReaders = !isPermanent(toError(cause));
    throw cause;
  }
}

async function fetchReaders({ id, live }: OpenConversationState): Promise<readonly Reader[]> {
  const { client, signal } = live;
  const list = client.readers.list({ conversation_id: id, limit: 100 }, { signal });
  const { data } = await list.page();
  return data;
}

/** Shows loaded readers. Keeps the readers whose events arrived after `since`. */
function applyLoaded(state: OpenConversationState, loaded: readonly Reader[], since: number) {
  const { id, live, readers = [] } = state;
  const hasChanged = ({ contact_id }: Reader) =>
    live.changes.hasChangedSince(`${id}-${contact_id}`, since);
  state.hasStaleReaders = false;
  setReaders(state, [...loaded.filter((one) => !hasChanged(one)), ...readers.filter(hasChanged)]);
}

/** Shows that the other contact opened the conversation, if the app has called `loadReaders`. */
export function applyOpening(
  state: OpenConversationState,
  { id: _, conversation_id: _conversation, ...reader }: OpenedConversation,
): void {
  const { readers } = state;
  if (!readers) return;
  setReaders(state, [...readers.filter((one) => one.contact_id !== reader.contact_id), reader]);
}

function setReaders(state: OpenConversationState, readers: readonly Reader[]) {
  state.readers = [...readers].sort((a, b) => b.last_opened_at - a.last_opened_at);
  state.store.invalidate();
}
