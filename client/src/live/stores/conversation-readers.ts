import type { OpenedConversation, Reader } from '../../generated/types.ts';
import type { OpenConversationState } from '../live-context.ts';

/** Loads the conversation's 100 most recent readers. */
export async function loadReaders(state: OpenConversationState): Promise<void> {
  const { id, live } = state;
  const { client, changes, signal } = live;
  const since = changes.getTick();
  const list = client.readers.list({ conversation_id: id, limit: 100 }, { signal });
  const { data } = await list.page();
  const hasChanged = ({ contact_id }: Reader) =>
    changes.hasChangedSince(`${id}-${contact_id}`, since);
  setReaders(state, [
    ...data.filter((one) => !hasChanged(one)),
    ...(state.readers ?? []).filter(hasChanged),
  ]);
}

/** Shows that the other contact opened the conversation, if the readers are loaded. */
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
