import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Client } from './client.ts';
import type { LiveGroupStore } from './live/groups/group-store.ts';
import { type GroupSnapshot, liveGroup, loadingGroup } from './live/groups/live-group.ts';
import { type GroupsSnapshot, liveGroups, loadingGroups } from './live/groups/live-groups.ts';
import { live } from './live/live.ts';
import type {
  ConversationSnapshot,
  InboxSnapshot,
  LiveInbox,
  LiveList,
  LiveOptions,
  LiveStatus,
  OpenConversation,
  OpenOptions,
  Store,
} from './live/live-types.ts';

/**
 * Returns the client's live inbox; null before the component is mounted, or if `client` is null.
 * Closes the inbox when the component unmounts or `client` changes. Reads `options` once per
 * client.
 */
export const useLive = (client: Client | null, options?: LiveOptions): LiveInbox | null =>
  useOpened(() => client && live(client, options), [client]);

/**
 * Returns the state of an inbox or of a list from `inbox.list`. If `inbox` is null, the status is
 * `connecting`.
 */
export const useInbox = (inbox: LiveList | null): InboxSnapshot =>
  useSnapshot(inbox, connectingInbox);

/**
 * Returns only the connection status. A component that uses no other state rerenders only if the
 * status changes.
 */
export const useLiveStatus = (inbox: LiveList | null): LiveStatus =>
  useSyncExternalStore(
    inbox?.subscribe ?? subscribeToNothing,
    () => inbox?.getSnapshot().status ?? 'connecting',
    () => 'connecting',
  );

/**
 * Keeps a conversation open while the component is mounted. Returns the conversation's state,
 * initially `loading`, and its actions, initially null.
 */
export function useConversation(
  inbox: LiveInbox | null,
  id: string | null,
  { peek = false }: OpenOptions = {},
): readonly [ConversationSnapshot, OpenConversation | null] {
  const open = useOpened(
    () => (inbox && id !== null ? inbox.open(id, { peek }) : null),
    [inbox, id, peek],
  );
  return [useSnapshot(open, loadingConversation), open];
}

/** Returns the user's groups. The token's groups are not included. */
export const useGroups = (inbox: LiveInbox | null): GroupsSnapshot =>
  useSnapshot(
    useOpened(() => inbox && liveGroups(inbox), [inbox]),
    loadingGroups,
  );

/** Returns a group's state and store. Initially, the state is `loading` and the store is null. */
export function useGroup(
  inbox: LiveInbox | null,
  id: string | null,
): readonly [GroupSnapshot, LiveGroupStore<GroupSnapshot> | null] {
  const group = useOpened(() => (inbox && id !== null ? liveGroup(inbox, id) : null), [inbox, id]);
  return [useSnapshot(group, loadingGroup), group];
}

const connectingInbox: InboxSnapshot = {
  status: 'connecting',
  error: null,
  conversations: [],
  hasMore: false,
};

const loadingConversation: ConversationSnapshot = {
  status: 'loading',
  error: null,
  conversation: null,
  messages: [],
  pending: [],
  readers: [],
  hasMore: false,
};

const subscribeToNothing = () => () => {};

/** Returns the store's snapshot; on a server or without a store, returns `initial`. */
function useSnapshot<Snapshot>(store: Store<Snapshot> | null, initial: Snapshot): Snapshot {
  const getInitial = () => initial;
  return useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    store?.getSnapshot ?? getInitial,
    getInitial,
  );
}

/**
 * Calls `open` when the component mounts and when `keys` change. Closes the opened value before the
 * next call and when the component unmounts. Returns null until a value is open for the current
 * keys.
 */
function useOpened<Value extends { close(): void }>(
  open: () => Value | null,
  keys: readonly unknown[],
): Value | null {
  const [opened, setOpened] = useState<{ value: Value; keys: readonly unknown[] } | null>(null);
  useEffect(() => {
    const value = open();
    setOpened(value && { value, keys });
    return () => value?.close();
  }, keys);
  return opened && keys.every((key, n) => Object.is(key, opened.keys[n])) ? opened.value : null;
}
