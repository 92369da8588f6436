import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  type Client,
  type Conversation,
  createClient,
  type Deleted,
  type InboxSnapshot,
  type ListConversationsParams,
  type LiveInbox,
  live,
  type Message,
} from '../../../client/src/index.ts';
import { type Chat, openChat } from './chat.ts';
import { variableOf } from './curl.ts';
import { type Network, networkOf } from './network.ts';
import { type Repair, repairs } from './repair.ts';
import { stored } from './stored.ts';
import { tokensOf } from './tokens.ts';
import type { Side } from './traffic.ts';
import type { Who } from './who.ts';

export type Filter = 'inbox' | 'pinned' | 'muted' | 'archived';

const listed: Record<Filter, ListConversationsParams> = {
  inbox: { exclude: ['archived'] },
  pinned: { pinned: true },
  muted: { muted: true },
  archived: { archived: true },
};

/** Something that went wrong, and is to be said. */
export interface Note {
  readonly number: number;
  /** What did not happen: `The message was not edited.` */
  readonly what: string;
  readonly error: unknown;
}

/** Somebody who uses the API on one side of the page. */
export interface Person {
  /** No two have the same, nor has the same one twice. */
  readonly number: number;
  readonly side: Side;
  readonly who: Who;
  /** Of the shell, that holds the token in commands. */
  readonly variable: string;
  readonly client: Client;
  readonly network: Network;
  readonly inbox: ReadonlySignal<InboxSnapshot>;
  readonly filter: ReadonlySignal<Filter>;
  readonly place: Signal<'chats' | 'businesses'>;
  readonly chat: ReadonlySignal<Chat | null>;
  readonly notes: ReadonlySignal<readonly Note[]>;
  readonly repair: ReadonlySignal<Repair | null>;
  show(filter: Filter): void;
  loadMore(): Promise<void>;
  reconnect(): void;
  open(conversationId: string): void;
  /** Back to the list. */
  leave(): void;
  setNetwork(isUp: boolean): void;
  dismissRepair(): void;
  /** Does something, shows what it gave at once, and says so when it fails. True if it did not. */
  attempt<Result extends Message | Conversation | Deleted>(
    what: string,
    doing: () => Promise<Result>,
  ): Promise<boolean>;
  dismiss(note: Note): void;
  close(): void;
}

let personCount = 0;
let noteCount = 0;

export function personOf(side: Side, who: Who): Person {
  const variable = variableOf(who.id);
  const repair = repairs();
  const network = networkOf(side, variable, repair.hear);
  const client = createClient({
    url: location.origin,
    token: tokensOf(who, network.quietFetch),
    fetch: network.fetch,
  });
  const filter = signal<Filter>('inbox');
  const notes = signal<readonly Note[]>([]);
  const chat = signal<Chat | null>(null);
  const main = live(client, { conversations: listed.inbox, WebSocket: network.WebSocket });
  /** The list that is shown, where that is another than the inbox. */
  const other = signal<LiveInbox | null>(null);
  const inbox = signal(main.getSnapshot());
  const endInbox = effect(() => {
    const [shown, end] = stored(other.value ?? main);
    const endCopying = effect(() => {
      inbox.value = shown.value;
    });
    return () => {
      endCopying();
      end();
    };
  });
  const all = () => {
    const shown = other.peek();
    return shown ? [main, shown] : [main];
  };

  personCount += 1;
  const person: Person = {
    number: personCount,
    side,
    who,
    variable,
    client,
    network,
    inbox,
    filter,
    place: signal('chats'),
    chat,
    notes,
    repair: repair.repair,
    show: (next) => {
      if (next === filter.peek()) return;
      const last = other.peek();
      const conversations = listed[next];
      // Both hear the same: one of them is shown among the requests.
      other.value =
        next === 'inbox'
          ? null
          : live(client, { conversations, WebSocket: network.QuietWebSocket });
      filter.value = next;
      last?.close();
    },
    loadMore: () => (other.peek() ?? main).loadMore(),
    reconnect: () => {
      for (const one of all()) one.reconnect();
    },
    open: (id) => {
      if (chat.peek()?.id === id) return;
      const last = chat.peek();
      chat.value = openChat(main, id, who.id);
      last?.close();
    },
    leave: () => {
      const last = chat.peek();
      chat.value = null;
      last?.close();
    },
    setNetwork: (isUp) => {
      if (isUp === network.isUp.peek()) return;
      if (isUp) {
        network.mend();
        repair.mend();
        person.reconnect();
      } else {
        repair.cut();
        network.cut();
      }
    },
    dismissRepair: repair.dismiss,
    attempt: async (what, doing) => {
      try {
        const call = doing();
        await Promise.all(all().map((one) => one.apply(call)));
        return true;
      } catch (error) {
        noteCount += 1;
        notes.value = [...notes.peek(), { number: noteCount, what, error }].slice(-3);
        return false;
      }
    },
    dismiss: ({ number }) => {
      notes.value = notes.peek().filter((note) => note.number !== number);
    },
    close: () => {
      person.leave();
      endInbox();
      other.peek()?.close();
      main.close();
    },
  };
  return person;
}
