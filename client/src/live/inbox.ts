import type { Client } from '../client.ts';
import { NotFoundError } from '../generated/errors.ts';
import type { Conversation, Event, Message } from '../generated/types.ts';
import { errands } from './errands.ts';
import {
  conversationChanged,
  isNewestIn,
  messageCame,
  messageChanged,
  messageLost,
  type Next,
  opened,
  told,
} from './held.ts';
import { isConversation, isDeleted, isDeletedMessage, isMessage } from './kinds.ts';
import type { Knowledge } from './knowledge.ts';
import { pagesOf } from './pages.ts';
import { shelfOf } from './shelf.ts';
import type { LiveOptions } from './types.ts';

export interface Inbox {
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  loadMore(): Promise<void>;
  hear(event: Event): void;
  /** Shows what was made or changed from here. */
  show(thing: Message | Conversation): void;
  /** That was deleted from here: a conversation or a message. */
  lose(id: string): void;
  /** The messages up to that one have been listed, as the caller reads them. */
  wasOpened(conversationId: string, newest: string | undefined): void;
  get(conversationId: string): Conversation | undefined;
  /** Holds a conversation, listed or not; what it gives ends that. Asks for it where it is not there. */
  hold(conversationId: string): () => void;
  list(): { conversations: readonly Conversation[]; hasMore: boolean };
  /** What could not be asked for, now. */
  hurry(): void;
  end(): void;
}

export interface InboxOptions {
  client: Pick<Client, 'conversations'>;
  options: LiveOptions;
  know: Knowledge;
  signal: AbortSignal;
  /** Whose inbox it is, where that is known. */
  me(): string | undefined;
  changed(conversationId?: string): void;
  /** The conversation is deleted, or not for the caller to see any more. */
  gone(conversationId: string): void;
  /** A conversation that was shown is not there any more, and nothing told why. */
  strayed(): void;
}

/** More than so many are listed rather than retrieved. */
const mostRetrieved = 5;
/** The name of an errand, of the list's order. */
const order = 'order';

/** The caller's conversations: hears what happens, and asks for what that does not tell. */
export function inboxOf(given: InboxOptions): Inbox {
  const { client, options, know, signal, me, changed, gone, strayed } = given;
  const {
    limit = 20,
    expand = ['contact', 'last_message', 'unread_count'],
    ...filters
  } = options.conversations ?? {};
  const most = options.mostConversations ?? 500;
  const shelf = shelfOf({ filters, most, changed, gone });

  const soon = () => 50 + Math.random() * 100;
  const later = () => 2000 + Math.random() * 2000;

  const keep = ({ one, isSure }: Next) => {
    if (!isSure) todo.ask(one.conversation.id, later());
    shelf.put(one);
  };
  const pages = pagesOf({
    client,
    params: { ...filters, expand, limit },
    most,
    know,
    shelf,
    signal,
    keep,
    missing: (id) => todo.ask(id, soon()),
    strayed,
    moved: (id) => moved(id),
  });

  /** It has another place in the list, or may have. */
  const moved = (id: string) => {
    if (shelf.isTied(id)) todo.ask(order, 5000 + Math.random() * 5000);
  };

  const take = (one: Conversation, since: number) => {
    const had = shelf.get(one.id);
    keep(told(had, one, { know, since, rank: had?.rank ?? shelf.top() }));
    shelf.trim();
    moved(one.id);
  };

  const retrieve = async (id: string) => {
    const since = know.now();
    try {
      const one = await client.conversations.retrieve({ conversation_id: id, expand }, { signal });
      if (!know.isGone(id)) take(one, since);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (shelf.get(id) && !know.isGone(id)) strayed();
      shelf.drop(id);
    }
  };

  const todo = errands(async (ids) => {
    const listsAll = ids.includes(order) || ids.length > mostRetrieved;
    const alone = listsAll ? ids.filter((id) => shelf.isOpen(id) && !shelf.isListed(id)) : ids;
    if (listsAll) await pages.load();
    await Promise.all(alone.filter((id) => id !== order).map(retrieve));
  });

  /** A message has come into a conversation. */
  const hearMessage = (message: Message) => {
    const { conversation_id: id } = message;
    const had = shelf.get(id);
    if (!had) {
      if (!shelf.isOutside(id)) todo.ask(id, soon());
      return;
    }
    const next = messageCame(had, message, { me: me(), now: know.now(), top: shelf.top });
    keep(next);
    shelf.trim();
    if (next.one.rank !== had.rank) moved(id);
  };

  const hearChange = (message: Message) => {
    const had = shelf.get(message.conversation_id);
    if (had) shelf.put(messageChanged(had, message));
  };

  const hearLoss = (conversationId: string, messageId: string) => {
    const had = shelf.get(conversationId);
    if (had) keep(messageLost(had, messageId, know.now()));
  };

  const hearConversation = (one: Conversation) => {
    const had = shelf.get(one.id);
    if (had) keep(conversationChanged(had, one));
    else if (shelf.belongs(one)) todo.ask(one.id, soon());
    else shelf.put({ conversation: one, rank: 0, toldAt: 0, counted: '', asOf: 0 });
  };

  return {
    load: pages.load,
    loadMore: pages.loadMore,
    show: (thing) => {
      if (!isMessage(thing)) hearConversation(thing);
      else if (thing.contact.id === me() && isNewestIn(shelf.get(thing.conversation_id), thing))
        hearMessage(thing);
      else hearChange(thing);
    },
    lose: (id) => {
      if (shelf.get(id)) shelf.drop(id);
      for (const { conversation } of shelf.all()) {
        if ([conversation.last_message?.id, conversation.pinned_message_id].includes(id))
          hearLoss(conversation.id, id);
      }
    },
    hear: ({ type, payload }) => {
      if (!payload) return;
      if (isDeletedMessage(payload)) {
        hearLoss(payload.conversation_id, payload.id);
        // The conversation was active when it came.
        if (type === 'message.created') todo.ask(payload.conversation_id, later());
      } else if (isDeleted(payload)) shelf.drop(payload.id);
      else if (isConversation(payload)) hearConversation(payload);
      else if (isMessage(payload) && type === 'message.created') hearMessage(payload);
      else if (isMessage(payload)) hearChange(payload);
    },
    wasOpened: (id, newest = '') => {
      const had = shelf.get(id);
      if (had?.conversation.unread_count === undefined) return;
      know.touch(id);
      keep(opened(had, newest, know.now()));
    },
    get: (id) => shelf.get(id)?.conversation,
    hold: (id) => {
      const release = shelf.hold(id);
      if (!shelf.get(id)) todo.ask(id, 0);
      return release;
    },
    list: () => ({
      conversations: shelf.listed().map(({ conversation }) => conversation),
      hasMore: shelf.end() !== undefined,
    }),
    hurry: todo.hurry,
    end: todo.end,
  };
}
