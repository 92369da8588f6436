import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Person } from './person.ts';

/** Value in the URL's fragment if the list is open instead of a conversation. */
const list = 'list';

/**
 * Opens the requested conversation after the inbox has loaded. If none is requested, opens the
 * default: the direct conversation with `otherId`. Returns the value for the URL's fragment. After
 * a reload, this value restores the open conversation or the list. For the default conversation,
 * the value is null.
 */
export function openFirstChat(
  person: Person,
  otherId: string,
  requested: string | null,
): ReadonlySignal<string | null> {
  const restored = signal(requested);
  /** The default conversation; undefined until it is known. */
  let defaultId: string | null | undefined;
  let isDecided = requested === list;
  effect(() => {
    const { conversations, status } = person.inbox.value;
    const open = person.chat.value?.id ?? null;
    if (!isDecided && open === null) {
      if (status === 'connecting' && conversations.length === 0) return;
      isDecided = true;
      defaultId = conversations.find(isDirectWith(otherId))?.id ?? null;
      const id = requested ?? defaultId;
      if (id !== null) person.open(id);
      return;
    }
    isDecided = true;
    restored.value = open === defaultId ? null : (open ?? list);
  });
  return restored;
}

const isDirectWith =
  (id: string) =>
  ({ contact_id, group_id }: { contact_id: string | null; group_id: string | null }) =>
    contact_id === id && group_id === null;
