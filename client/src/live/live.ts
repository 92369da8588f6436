import type { Client } from '../client.ts';
import type { Event } from '../generated/types.ts';
import { subjectOf } from './base64.ts';
import { emitter } from './emitter.ts';
import { inboxOf } from './inbox.ts';
import { isDeleted, isDeletedMessage, isMessage } from './kinds.ts';
import { knowledge } from './knowledge.ts';
import { startSession } from './session.ts';
import { type Thread, threadOf } from './thread.ts';
import type { InboxSnapshot, LiveInbox, LiveOptions, LiveStatus } from './types.ts';

/** The caller's inbox, kept up to date until it is closed. */
export function live(client: Client, options: LiveOptions = {}): LiveInbox {
  const ending = new AbortController();
  const { signal } = ending;
  const know = knowledge();
  const threads = new Map<string, { thread: Thread; count: number }>();
  let status: LiveStatus = 'starting';
  let error: Error | null = null;
  let me: string | undefined;

  const shown = emitter((): InboxSnapshot => ({ status, error, ...inbox.list() }));
  const inbox = inboxOf({
    client,
    options,
    know,
    signal,
    me: () => me,
    changed: (id) => {
      shown.changed();
      if (id !== undefined) threads.get(id)?.thread.changed();
    },
    gone: (id) => threads.get(id)?.thread.gone(),
    strayed: () => session.doubt(),
  });

  const hear = (event: Event) => {
    const { payload, version } = event;
    if (!payload) return;
    if (isDeleted(payload)) know.lose(payload.id);
    else if (!know.learn(payload.id, version)) return;
    if (isMessage(payload)) threads.get(payload.conversation_id)?.thread.hear(payload);
    if (isDeletedMessage(payload)) threads.get(payload.conversation_id)?.thread.lose(payload.id);
    inbox.hear(event);
  };

  const session = startSession({
    client,
    options,
    apply: hear,
    load: async () => {
      await inbox.load();
      await Promise.all(Array.from(threads.values(), ({ thread }) => thread.load({ peek: true })));
    },
    reached: () => {
      inbox.hurry();
      for (const { thread } of threads.values()) if (thread.isBroken()) thread.load({ peek: true });
    },
    tell: (now, why) => {
      if (status === 'starting' && now === 'reconnecting' && !why) return;
      [status, error] = [now, why];
      shown.changed();
    },
    used: (token) => {
      me = subjectOf(token);
    },
  });

  const open: LiveInbox['open'] = (id, { peek = false } = {}) => {
    let entry = threads.get(id);
    if (!entry) {
      const thread = threadOf({ id, peek, client, options, know, inbox, signal });
      entry = { thread, count: 0 };
      threads.set(id, entry);
      thread.load({ peek });
    }
    const { thread } = entry;
    const own = entry;
    const release = inbox.hold(id);
    let isOpen = true;
    own.count += 1;
    return {
      ...thread.opened,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        release();
        own.count -= 1;
        if (own.count > 0) return;
        thread.end();
        threads.delete(id);
      },
    };
  };

  return {
    subscribe: shown.subscribe,
    getSnapshot: shown.getSnapshot,
    loadMore: inbox.loadMore,
    open,
    apply: async (call) => {
      const since = know.now();
      const result = await call;
      if (isDeleted(result)) {
        know.lose(result.id);
        inbox.lose(result.id);
        for (const { thread } of threads.values()) thread.lose(result.id);
      } else if (!know.isOlder(result.id, since)) {
        know.touch(result.id);
        if (isMessage(result)) threads.get(result.conversation_id)?.thread.hear(result);
        inbox.show(result);
      }
      return result;
    },
    reconnect: session.restart,
    close: () => {
      session.end();
      inbox.end();
      ending.abort();
      status = 'closed';
      shown.changed();
    },
  };
}
