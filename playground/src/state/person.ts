import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type Client,
  type Conversation,
  createClient,
  createIndexedDbStorage,
  type Deleted,
  type GroupSnapshot,
  type GroupsSnapshot,
  type InboxSnapshot,
  type ListConversationsParams,
  type LiveGroupStore,
  type LiveInbox,
  type LiveList,
  live,
  liveGroup,
  liveGroups,
  type Message,
} from '../../../client/src/index.ts';
import { toVariableName } from '../network/curl-command.ts';
import { createNetwork, type Network } from '../network/network.ts';
import type { Side } from '../network/traffic.ts';
import { type BlockList, createBlockList } from './block-list.ts';
import { type Chat, openChat } from './chat.ts';
import { conversationFields } from './conversation-fields.ts';
import type { Identity } from './identity.ts';
import { createOutageTracker, type Outage } from './outage.ts';
import { createStoreSignal } from './store-signal.ts';
import { createTokenSource } from './token-source.ts';

export type Filter = 'inbox' | 'pinned' | 'muted' | 'archived';

const listParams: Record<Filter, ListConversationsParams> = {
  inbox: { exclude: ['archived'], expand: conversationFields },
  pinned: { pinned: true, expand: conversationFields },
  muted: { muted: true, expand: conversationFields },
  archived: { archived: true, expand: conversationFields },
};

export interface FailureNote {
  readonly number: number;
  /** Message about the failed action, such as `The message was not changed.` */
  readonly title: string;
  readonly error: unknown;
}

export interface OpenGroup {
  readonly snapshot: ReadonlySignal<GroupSnapshot>;
  readonly store: LiveGroupStore<GroupSnapshot>;
  readonly close: () => void;
}

/** A user of the API on one side of the page. */
export interface Person {
  /** Unique on the page. */
  readonly number: number;
  readonly side: Side;
  readonly identity: Identity;
  /** Shell variable that contains the token in curl commands. */
  readonly variable: string;
  readonly client: Client;
  readonly network: Network;
  readonly inbox: ReadonlySignal<InboxSnapshot>;
  readonly filter: ReadonlySignal<Filter>;
  readonly tab: Signal<'chats' | 'groups' | 'businesses'>;
  /** The user groups to which the user belongs, excluding the token's groups. */
  readonly groups: ReadonlySignal<GroupsSnapshot>;
  /** The group whose dialog is open. */
  readonly shownGroupId: Signal<string | null>;
  /** Opens a group. Updates the group's snapshot until `close` is called. */
  openGroup(groupId: string): OpenGroup;
  readonly chat: ReadonlySignal<Chat | null>;
  readonly blockList: BlockList;
  readonly notes: ReadonlySignal<readonly FailureNote[]>;
  readonly outage: ReadonlySignal<Outage | null>;
  setFilter(filter: Filter): void;
  loadMore(): Promise<void>;
  reconnect(): void;
  open(conversationId: string): void;
  closeChat(): void;
  setNetwork(isUp: boolean): void;
  dismissOutage(): void;
  /**
   * Runs an action, and shows its result without waiting for the event. If the action fails, shows
   * the error. Returns whether the action succeeded.
   */
  attempt<Result extends Message | Conversation | Deleted>(
    title: string,
    action: () => Promise<Result>,
  ): Promise<boolean>;
  /**
   * Runs an action whose result is not shown. If the action fails, shows the error. Returns whether
   * the action succeeded.
   */
  attemptOther(title: string, action: () => Promise<unknown>): Promise<boolean>;
  dismiss(note: FailureNote): void;
  close(): void;
}

let personCount = 0;

export function createPerson(side: Side, identity: Identity): Person {
  const variable = toVariableName(identity.id);
  const outageTracker = createOutageTracker();
  const network = createNetwork(side, variable, outageTracker.applyReply);
  const client = createClient({
    url: location.origin,
    token: createTokenSource(identity, network.unloggedFetch),
    fetch: network.fetch,
    putFile: network.putFile,
  });
  const main = live(client, {
    conversations: listParams.inbox,
    WebSocket: network.WebSocket,
    storage: createIndexedDbStorage(),
  });
  const { close: closeList, ...list } = createShownList(main);
  const notes = createNotes();
  const openChats = createOpenChat(main);
  const groupStore = liveGroups(main);
  const [groups, endGroups] = createStoreSignal(groupStore);
  personCount += 1;
  return {
    number: personCount,
    side,
    identity,
    variable,
    client,
    network,
    ...list,
    ...notes,
    ...openChats,
    tab: signal('chats'),
    groups,
    shownGroupId: signal(null),
    openGroup: (groupId) => openGroup(main, groupId),
    blockList: createBlockList(client),
    outage: outageTracker.current,
    reconnect: main.reconnect,
    setNetwork: (isUp) => {
      if (isUp === network.isUp.peek()) return;
      if (isUp) {
        network.restore();
        outageTracker.restore();
        main.reconnect();
      } else {
        outageTracker.cut();
        network.cut();
      }
    },
    dismissOutage: outageTracker.dismiss,
    attempt: (title, action) => notes.attemptOther(title, () => main.apply(action())),
    close: () => {
      openChats.closeChat();
      closeList();
      endGroups();
      groupStore.close();
      main.close();
    },
  };
}

function createShownList(main: LiveInbox) {
  const filter = signal<Filter>('inbox');
  /** The list on screen, if it is not the inbox. */
  const other = signal<LiveList | null>(null);
  const inbox = signal(main.getSnapshot());
  const endInbox = effect(() => {
    const [shown, end] = createStoreSignal(other.value ?? main);
    const endCopying = effect(() => {
      inbox.value = shown.value;
    });
    return () => {
      endCopying();
      end();
    };
  });
  return {
    inbox,
    filter,
    setFilter: (next: Filter) => {
      if (next === filter.peek()) return;
      const last = other.peek();
      other.value = next === 'inbox' ? null : main.list(listParams[next]);
      filter.value = next;
      last?.close();
    },
    loadMore: () => (other.peek() ?? main).loadMore(),
    close: () => {
      endInbox();
      other.peek()?.close();
    },
  };
}

function openGroup(main: LiveInbox, groupId: string): OpenGroup {
  const store = liveGroup(main, groupId);
  const [snapshot, end] = createStoreSignal(store);
  return {
    snapshot,
    store,
    close: () => {
      end();
      store.close();
    },
  };
}

const maxNotes = 3;
let noteCount = 0;

function createNotes() {
  const notes = signal<readonly FailureNote[]>([]);
  return {
    notes,
    attemptOther: async (title: string, action: () => Promise<unknown>): Promise<boolean> => {
      try {
        await action();
        return true;
      } catch (error) {
        noteCount += 1;
        const note = { number: noteCount, title, error };
        notes.value = [...notes.peek(), note].slice(-maxNotes);
        return false;
      }
    },
    dismiss: ({ number }: FailureNote) => {
      notes.value = notes.peek().filter((note) => note.number !== number);
    },
  };
}

function createOpenChat(main: LiveInbox) {
  const chat = signal<Chat | null>(null);
  const replace = (next: Chat | null) => {
    const last = chat.peek();
    chat.value = next;
    last?.close();
  };
  return {
    chat,
    open: (id: string) => {
      if (chat.peek()?.id !== id) replace(openChat(main, id));
    },
    closeChat: () => replace(null),
  };
}
