import type { Client } from '../../client.ts';
import { NotFoundError } from '../../generated/errors.ts';
import type { Message } from '../../generated/types.ts';
import type { ConversationSnapshot, LiveOptions, OpenConversation } from '../live-types.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { InboxStore } from './inbox-store.ts';
import { createSnapshotStore } from './snapshot-store.ts';

/** The messages of an open conversation. */
export interface OpenConversationStore {
  handle: Omit<OpenConversation, 'close'>;
  /** Lists anew all that is shown; `peek` marks nothing. */
  load(how: { peek: boolean }): Promise<void>;
  /** Whether the last load has failed. */
  hasFailed(): boolean;
  applyMessage(message: Message): void;
  applyDelete(messageId: string): void;
  markRemoved(): void;
  invalidate(): void;
  end(): void;
}

export interface OpenConversationStoreOptions {
  id: string;
  peek: boolean;
  client: Pick<Client, 'messages' | 'conversations'>;
  options: LiveOptions;
  changes: ChangeTracker;
  inbox: InboxStore;
  signal: AbortSignal;
}

const newestFirst = (a: Message, b: Message) => (a.id < b.id ? 1 : -1);

export function createOpenConversationStore(
  given: OpenConversationStoreOptions,
): OpenConversationStore {
  const { id, peek, client, options, changes: know, inbox, signal } = given;
  const size = options.messagesPerPage ?? 30;
  const held = new Map<string, Message>();
  let maxMessages = options.maxMessages ?? 500;
  let status: ConversationSnapshot['status'] = 'loading';
  let error: Error | null = null;
  /** The oldest one that is loaded, where there are older ones. */
  let last: string | undefined;
  let marked = '';
  let lane: Promise<void> = Promise.resolve();

  const sorted = () => [...held.values()].sort(newestFirst);
  const {
    invalidate: changed,
    removeAllListeners: end,
    subscribe,
    getSnapshot,
  } = createSnapshotStore(
    (): ConversationSnapshot => ({
      status: status === 'ready' && !inbox.get(id) ? 'loading' : status,
      error,
      conversation: inbox.get(id) ?? null,
      messages: status === 'gone' ? [] : sorted(),
      hasMore: last !== undefined,
    }),
  );

  const trim = () => {
    const all = sorted();
    if (all.length <= maxMessages) return;
    last = all[maxMessages - 1]?.id;
    for (const one of all.slice(maxMessages)) held.delete(one.id);
  };

  const page = async (isPeek: boolean, limit: number, starting_after?: string) =>
    client.messages
      .list(
        {
          conversation_id: id,
          limit,
          peek: isPeek,
          ...(starting_after !== undefined && { starting_after }),
        },
        { signal },
      )
      .page();

  /** Takes what a request has given that began at that moment, but what was heard meanwhile. */
  const take = (told: readonly Message[], since: number) => {
    for (const one of told) {
      if (know.isDeleted(one.id)) continue;
      if (!know.hasChangedSince(one.id, since) || !held.has(one.id)) held.set(one.id, one);
    }
  };

  const load = async (isPeek: boolean) => {
    const since = know.getTick();
    const wanted = Math.max(size, Math.min(maxMessages, held.size));
    const told: Message[] = [];
    let more = true;
    while (more && told.length < wanted) {
      const limit = Math.min(100, wanted - told.length);
      const { data, has_more } = await page(isPeek, limit, told.at(-1)?.id);
      told.push(...data);
      more = has_more;
    }
    const ids = new Set(told.map((one) => one.id));
    last = more ? told.at(-1)?.id : undefined;
    for (const one of held.values()) {
      const isHeard = know.hasChangedSince(one.id, since) && (last === undefined || one.id > last);
      if (!ids.has(one.id) && !isHeard) held.delete(one.id);
    }
    take(told, since);
    trim();
    [status, error] = ['ready', null];
    if (!isPeek) inbox.markOpened(id, told[0]?.id);
    changed();
  };

  const loadOlder = async () => {
    if (last === undefined || status !== 'ready') return;
    const since = know.getTick();
    maxMessages = Math.max(maxMessages, held.size + size);
    const { data, has_more } = await page(peek, size, last);
    last = has_more ? (data.at(-1)?.id ?? last) : undefined;
    take(data, since);
    changed();
  };

  /** One after the other; that it is gone is no failure. */
  const enqueue = (work: () => Promise<void>) => {
    const guarded = async () => {
      try {
        await work();
      } catch (cause) {
        if (!(cause instanceof NotFoundError)) throw cause;
        gone();
      }
    };
    const turn = lane.then(guarded, guarded);
    lane = turn.catch(() => {});
    return turn;
  };

  const gone = () => {
    [status, error, last] = ['gone', null, undefined];
    held.clear();
    changed();
  };

  const reload = async (isPeek: boolean) => {
    try {
      await enqueue(() => load(isPeek));
    } catch (cause) {
      if (signal.aborted) return;
      if (status !== 'ready') status = 'failed';
      error = cause instanceof Error ? cause : new Error(String(cause));
      changed();
    }
  };

  const hear = (message: Message) => {
    if (status === 'gone' || (last !== undefined && message.id < last)) return;
    held.set(message.id, message);
    trim();
    changed();
  };

  return {
    handle: {
      id,
      subscribe,
      getSnapshot,
      loadOlder: () => enqueue(loadOlder),
      reload: () => {
        if (status !== 'ready') status = 'loading';
        changed();
        return reload(peek);
      },
      send: async (message, how) => {
        const since = know.getTick();
        const sent = await client.messages.send({ ...message, conversation_id: id }, how);
        if (!know.hasChangedSince(sent.id, since)) {
          know.recordLocalChange(sent.id);
          hear(sent);
          inbox.applyLocalChange(sent);
        }
        return sent;
      },
      markRead: async () => {
        const newest = sorted()[0]?.id;
        if (newest === undefined || newest <= marked) return;
        await client.conversations.update({ conversation_id: id, last_read_message_id: newest });
        marked = newest;
        inbox.markOpened(id, newest);
      },
    },
    load: ({ peek: isPeek }) => reload(isPeek),
    hasFailed: () => error !== null,
    applyMessage: hear,
    applyDelete: (messageId) => {
      if (held.delete(messageId)) changed();
      // Older ones are asked for from there on: a deleted message keeps its place.
    },
    markRemoved: gone,
    invalidate: changed,
    end,
  };
}
