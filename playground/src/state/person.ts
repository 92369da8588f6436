import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type Client,
  type Conversation,
  createClient,
  createIndexedDbStorage,
  type Deleted,
  type InboxSnapshot,
  type ListConversationsParams,
  type LiveList,
  live,
  type Message,
} from '../../../client/src/index.ts';
import { toVariableName } from '../network/curl-command.ts';
import { createNetwork, type Network } from '../network/network.ts';
import type { Side } from '../network/traffic.ts';
import { type Chat, openChat } from './chat.ts';
import type { Identity } from './identity.ts';
import { createOutageTracker, type Outage } from './outage.ts';
import { createStoreSignal } from './store-signal.ts';
import { createTokenSource } from './token-source.ts';

export type Filter = 'inbox' | 'pinned' | 'muted' | 'archived';

const listParams: Record<Filter, ListConversationsParams> = {
  inbox: { exclude: ['archived'] },
  pinned: { pinned: true },
  muted: { muted: true },
  archived: { archived: true },
};

/** A failure to show. */
export interface FailureNote {
  readonly number: number;
  /** The failed action: `The message was not edited.` */
  readonly title: string;
  readonly error: unknown;
}

/** A user of the API on one side of the page. */
export interface Person {
  /** Unique number. */
  readonly number: number;
  readonly side: Side;
  readonly identity: Identity;
  /** Shell variable that holds the token in commands. */
  readonly variable: string;
  readonly client: Client;
  readonly network: Network;
  readonly inbox: ReadonlySignal<InboxSnapshot>;
  readonly filter: ReadonlySignal<Filter>;
  readonly tab: Signal<'chats' | 'businesses'>;
  readonly chat: ReadonlySignal<Chat | null>;
  readonly notes: ReadonlySignal<readonly FailureNote[]>;
  readonly outage: ReadonlySignal<Outage | null>;
  setFilter(filter: Filter): void;
  loadMore(): Promise<void>;
  reconnect(): void;
  open(conversationId: string): void;
  /** Returns to the list. */
  closeChat(): void;
  setNetwork(isUp: boolean): void;
  dismissOutage(): void;
  /** Runs the action and shows its result at once, or its error. Returns whether it succeeded. */
  attempt<Result extends Message | Conversation | Deleted>(
    what: string,
    action: () => Promise<Result>,
  ): Promise<boolean>;
  dismiss(note: FailureNote): void;
  close(): void;
}

let personCount = 0;
let noteCount = 0;

export function createPerson(side: Side, who: Identity): Person {
  const variable = toVariableName(who.id);
  const outageTracker = createOutageTracker();
  const network = createNetwork(side, variable, outageTracker.applyReply);
  const client = createClient({
    url: location.origin,
    token: createTokenSource(who, network.unloggedFetch),
    fetch: network.fetch,
  });
  const filter = signal<Filter>('inbox');
  const notes = signal<readonly FailureNote[]>([]);
  const chat = signal<Chat | null>(null);
  const main = live(client, {
    conversations: listParams.inbox,
    WebSocket: network.WebSocket,
    storage: createIndexedDbStorage(),
  });
  /** The shown list, if it is not the inbox. */
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

  personCount += 1;
  const person: Person = {
    number: personCount,
    side,
    identity: who,
    variable,
    client,
    network,
    inbox,
    filter,
    tab: signal('chats'),
    chat,
    notes,
    outage: outageTracker.repair,
    setFilter: (next) => {
      if (next === filter.peek()) return;
      const last = other.peek();
      other.value = next === 'inbox' ? null : main.list(listParams[next]);
      filter.value = next;
      last?.close();
    },
    loadMore: () => (other.peek() ?? main).loadMore(),
    reconnect: main.reconnect,
    open: (id) => {
      if (chat.peek()?.id === id) return;
      const last = chat.peek();
      chat.value = openChat(main, id);
      last?.close();
    },
    closeChat: () => {
      const last = chat.peek();
      chat.value = null;
      last?.close();
    },
    setNetwork: (isUp) => {
      if (isUp === network.isUp.peek()) return;
      if (isUp) {
        network.restore();
        outageTracker.restore();
        person.reconnect();
      } else {
        outageTracker.cut();
        network.cut();
      }
    },
    dismissOutage: outageTracker.dismiss,
    attempt: async (what, action) => {
      try {
        await main.apply(action());
        return true;
      } catch (error) {
        noteCount += 1;
        notes.value = [...notes.peek(), { number: noteCount, title: what, error }].slice(-3);
        return false;
      }
    },
    dismiss: ({ number }) => {
      notes.value = notes.peek().filter((note) => note.number !== number);
    },
    close: () => {
      person.closeChat();
      endInbox();
      other.peek()?.close();
      main.close();
    },
  };
  return person;
}
