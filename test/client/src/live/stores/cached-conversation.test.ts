import { describe, expect, test } from '@jest/globals';
import type { Conversation, Message } from '../../../../../client/src/index.ts';
import {
  type CachedConversation,
  isNewerThanLast,
  withConversationUpdate,
  withFetched,
  withMessageDeleted,
  withMessagesRead,
  withMessageUpdate,
  withNewMessage,
} from '../../../../../client/src/live/stores/cached-conversation.ts';
import { createChangeTracker } from '../../../../../client/src/live/stores/change-tracker.ts';
import { examples } from '../../../../../shared/contract/examples.ts';
import { useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const person = (id: string) => ({
  id,
  username: id,
  phone_number: null,
  avatar_url: null,
  last_active_at: null,
  created_at: null,
});
/** Returns the n-th message, whose `created_at` is n. */
const message = (n: number, by = 'bob', text = `${n}`): Message => ({
  ...examples['messages/send'].reply,
  ...{ id: `c-${n}`, conversation_id: 'c', contact: person(by) },
  ...{ message: text, attachments: [], created_at: n },
});
const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  ...examples['conversations/create'].reply,
  ...{ id: 'c', last_active_at: 5, created_at: 1 },
  ...more,
});
const expanded = (more: Partial<Conversation> = {}) =>
  conversation({ contact: person('bob'), last_message: message(5), unread_count: 2, ...more });

/** Returns a conversation that was fetched a minute ago, when message 5 was the newest. */
const cachedConversation = (more: Partial<Conversation> = {}): CachedConversation => ({
  conversation: expanded(more),
  rank: 3,
  fetchedAt: performance.now() - 60_000,
  lastCountedId: 'c-5',
  lastEventTick: 10,
});
const came = (had: CachedConversation, one: Message, me: string | undefined = 'ann') =>
  withNewMessage(had, one, { me, now: 11, top: () => -1 });

describe('A new message', () => {
  test('is counted, becomes the last message, and moves its conversation to the top', () => {
    expect(came(cachedConversation(), message(7))).toEqual({
      isExact: true,
      state: {
        ...cachedConversation(),
        conversation: expanded({ last_active_at: 7, last_message: message(7), unread_count: 3 }),
        rank: -1,
        lastCountedId: 'c-7',
        lastEventTick: 11,
      },
    });
  });

  test('does not raise the unread count above 100', () => {
    expect(
      came(cachedConversation({ unread_count: 99 }), message(7)).state.conversation.unread_count,
    ).toBe(100);
    expect(
      came(cachedConversation({ unread_count: 100 }), message(7)).state.conversation.unread_count,
    ).toBe(100);
  });

  test('that the user sent is not counted', () => {
    const { state, isExact } = came(
      { ...cachedConversation(), fetchedAt: performance.now() },
      message(7, 'ann'),
    );
    expect(isExact).toBe(true);
    expect(state.conversation).toEqual(
      expanded({ last_active_at: 7, last_message: message(7, 'ann') }),
    );
  });

  test('adds only expanded fields', () => {
    const had = { ...cachedConversation(), conversation: conversation() };
    expect(came(had, message(7))).toMatchObject({
      isExact: true,
      state: { conversation: conversation({ last_active_at: 7 }) },
    });
    expect(Object.keys(came(had, message(7)).state.conversation)).toEqual(
      Object.keys(conversation()),
    );
  });

  test('that is the conversation’s first becomes the last message and moves the conversation to the top', () => {
    const { state } = came(
      cachedConversation({ last_active_at: null, last_message: null }),
      message(7),
    );
    expect(state).toMatchObject({
      rank: -1,
      conversation: { last_active_at: 7, last_message: message(7) },
    });
  });

  test('that is late and uncounted counts as unread, but changes neither the last message nor the order', () => {
    const had = {
      ...cachedConversation({ last_active_at: 9, last_message: message(9) }),
      lastCountedId: 'c-4',
    };
    const { state } = came(had, message(7));
    expect(state.conversation).toEqual(
      expanded({ last_active_at: 9, last_message: message(9), unread_count: 3 }),
    );
    expect(state.rank).toBe(3);
    // A message older than the last activity becomes the last message without changing the order.
    expect(came(cachedConversation({ last_active_at: 9 }), message(7)).state).toMatchObject({
      rank: 3,
      conversation: { last_active_at: 9, last_message: message(7) },
    });
  });

  test('replaces a last message with the same id, because a late event includes later edits', () => {
    const edited = message(5, 'bob', 'edited');
    expect(came(cachedConversation(), edited).state.conversation).toEqual(
      expanded({ last_message: edited }),
    );
  });

  test('in the same second as the last activity moves the conversation to the top', () => {
    expect(came(cachedConversation({ last_active_at: 7 }), message(7)).state.rank).toBe(-1);
  });

  test('that may already be counted requires a refetch of the conversation', () => {
    for (const n of [4, 5]) {
      expect(came(cachedConversation(), message(n))).toMatchObject({
        isExact: false,
        state: { lastCountedId: 'c-5', conversation: { unread_count: 2 } },
      });
    }
    const fresh = (milliseconds: number) => ({
      ...cachedConversation(),
      fetchedAt: performance.now() - milliseconds,
    });
    expect(came(fresh(4999), message(7)).isExact).toBe(false);
    expect(came(fresh(5000), message(7)).isExact).toBe(true);
    const { last_message: _, ...without } = expanded();
    expect(came({ ...cachedConversation(), conversation: without }, message(7)).isExact).toBe(
      false,
    );
  });

  test('that may already be read, or that the user may have sent, requires a refetch of the conversation', () => {
    expect(came(cachedConversation({ last_opened_at: 7 }), message(7)).isExact).toBe(false);
    expect(came(cachedConversation({ last_opened_at: 6 }), message(7)).isExact).toBe(true);
    expect(
      withNewMessage(cachedConversation(), message(7), { me: undefined, now: 11, top: () => -1 })
        .isExact,
    ).toBe(false);
  });

  test('is newer than the last message if its id is greater', () => {
    expect([4, 5, 6].map((n) => isNewerThanLast(cachedConversation(), message(n)))).toEqual([
      false,
      false,
      true,
    ]);
    expect(isNewerThanLast(cachedConversation({ last_message: null }), message(1))).toBe(true);
    expect(isNewerThanLast(undefined, message(1))).toBe(true);
  });
});

describe('A message that', () => {
  test('is changed updates the conversation if it is the last message', () => {
    const edited = message(5, 'bob', 'edited');
    expect(withMessageUpdate(cachedConversation(), edited)).toEqual({
      ...cachedConversation(),
      conversation: expanded({ last_message: edited }),
    });
    expect(withMessageUpdate(cachedConversation(), message(4, 'bob', 'edited'))).toEqual(
      cachedConversation(),
    );
  });

  test('is deleted is no longer the last or pinned message, and requires a refetch if it was last or may be unread', () => {
    const read = cachedConversation({ unread_count: 0, pinned_message_id: 'c-4' });
    const state = { ...read, lastEventTick: 11 };
    expect(withMessageDeleted(read, 'c-3', 11)).toEqual({ state, isExact: true });
    expect(withMessageDeleted(read, 'c-4', 11)).toEqual({
      state: { ...state, conversation: expanded({ unread_count: 0 }) },
      isExact: true,
    });
    expect(withMessageDeleted(read, 'c-5', 11)).toEqual({
      state: {
        ...state,
        conversation: expanded({ unread_count: 0, pinned_message_id: 'c-4', last_message: null }),
      },
      isExact: false,
    });
    expect(withMessageDeleted(cachedConversation(), 'c-3', 11)).toEqual({
      state: { ...cachedConversation(), lastEventTick: 11 },
      isExact: false,
    });
  });
});

describe('A conversation that changes', () => {
  test('keeps its expanded fields and its latest activity', () => {
    const muted = conversation({ is_muted: true, last_active_at: 4 });
    expect(withConversationUpdate(cachedConversation(), muted)).toEqual({
      state: { ...cachedConversation(), conversation: expanded({ is_muted: true }) },
      isExact: true,
    });
    const active = (before: number | null, now: number | null) =>
      withConversationUpdate(
        cachedConversation({ last_active_at: before }),
        conversation({ last_active_at: now }),
      ).state.conversation.last_active_at;
    expect([
      active(4, 6),
      active(6, 4),
      active(null, 6),
      active(6, null),
      active(null, null),
    ]).toEqual([6, 6, 6, 6, null]);
  });

  test('requires a refetch if another device may have marked messages as read or unread', () => {
    const opening = conversation({ last_opened_at: 6 });
    expect(withConversationUpdate(cachedConversation(), opening).isExact).toBe(false);
    expect(withConversationUpdate(cachedConversation({ unread_count: 0 }), opening).isExact).toBe(
      true,
    );
    expect(withConversationUpdate(cachedConversation(), conversation()).isExact).toBe(true);
    const opened = cachedConversation({ unread_count: 0, last_opened_at: opening.last_opened_at });
    // Another device has marked messages as unread.
    expect(withConversationUpdate(opened, opening).isExact).toBe(false);
    expect(withConversationUpdate(opened, { ...opening, is_muted: true }).isExact).toBe(true);
  });

  test('because of a read mark has no unread messages, or requires a refetch if later messages exist', () => {
    for (const newest of ['c-5', 'c-6']) {
      expect(withMessagesRead(cachedConversation(), newest, 11)).toEqual({
        state: {
          ...cachedConversation({ unread_count: 0 }),
          lastCountedId: newest,
          lastEventTick: 11,
        },
        isExact: true,
      });
    }
    expect(withMessagesRead(cachedConversation(), 'c-4', 11)).toEqual({
      state: cachedConversation(),
      isExact: false,
    });
  });
});

describe('A fetched conversation', () => {
  const fetched = (
    had: CachedConversation | undefined,
    one: Conversation,
    changes: ReturnType<typeof createChangeTracker>,
    since: number,
  ) => withFetched(had, one, { changes, since, rank: 1 });
  const reply = expanded({
    is_muted: true,
    last_active_at: 6,
    last_message: message(6),
    unread_count: 7,
  });

  test('is stored unchanged if no event has arrived since the request', () => {
    const tracker = createChangeTracker();
    const state = {
      conversation: reply,
      rank: 1,
      fetchedAt: performance.now(),
      lastCountedId: 'c-6',
      lastEventTick: 20,
    };
    expect(fetched(undefined, reply, tracker, 20)).toEqual({
      state,
      isExact: true,
    });
    expect(fetched(cachedConversation(), reply, tracker, 20)).toEqual({
      state,
      isExact: true,
    });
    expect(fetched(cachedConversation(), reply, tracker, 10)).toEqual({
      state: { ...state, lastEventTick: 10 },
      isExact: true,
    });
    // The order of two requests with the same tick is unknown.
    expect(
      fetched({ ...cachedConversation(), lastCountedId: 'c-8' }, reply, tracker, 10).state
        .lastCountedId,
    ).toBe('c-8');
  });

  test('is stored even if it has no last message or no expanded fields', () => {
    const tracker = createChangeTracker();
    const withoutMessage = fetched(
      cachedConversation(),
      expanded({ last_message: null }),
      tracker,
      20,
    );
    expect(withoutMessage.state).toMatchObject({
      lastCountedId: 'c-5',
      conversation: { last_message: null },
    });
    const withoutExpansion = fetched(undefined, conversation(), tracker, 20);
    expect(withoutExpansion.state.conversation).toEqual(conversation());
    expect(withoutExpansion.state.lastCountedId).toBe('');
  });

  test('does not replace a newer last message from an event, and requires a refetch', () => {
    const tracker = createChangeTracker();
    tracker.recordEvent('c-8', 1);
    const had = {
      ...cachedConversation({ last_active_at: 8, last_message: message(8) }),
      lastEventTick: 1,
      lastCountedId: 'c-8',
    };
    expect(fetched(had, reply, tracker, 0)).toEqual({
      state: {
        conversation: { ...reply, last_active_at: 8, last_message: message(8) },
        rank: 1,
        fetchedAt: performance.now(),
        lastCountedId: 'c-8',
        lastEventTick: 1,
      },
      isExact: false,
    });
    const newer = expanded({ last_active_at: 9, last_message: message(9) });
    expect(fetched(had, newer, tracker, 0).state).toMatchObject({
      conversation: newer,
      lastCountedId: 'c-9',
    });
    // The reply has an older text of the same message.
    const old = expanded({ last_active_at: 8, last_message: message(8, 'bob', 'old') });
    expect(fetched(had, old, tracker, 0).state.conversation.last_message).toEqual(message(8));
    expect(
      fetched(had, expanded({ last_message: null }), tracker, 0).state.conversation.last_message,
    ).toEqual(message(8));
  });

  test('that lacks the newest message changes neither `unread_count` nor `mentioned`', () => {
    const tracker = createChangeTracker();
    const had = {
      ...cachedConversation({ last_message: message(8), unread_count: 1, mentioned: true }),
      lastEventTick: 1,
      lastCountedId: 'c-8',
    };
    const old = expanded({ last_message: message(6), unread_count: 0, mentioned: false });
    expect(fetched(had, old, tracker, 0).state.conversation).toMatchObject({
      unread_count: 1,
      mentioned: true,
    });
    expect(
      fetched(had, { ...old, last_message: message(8) }, tracker, 0).state.conversation,
    ).toEqual({
      ...old,
      last_message: message(8),
    });
    expect(fetched(had, conversation(), tracker, 0).state.conversation).toEqual(conversation());
  });

  test('is stored without its last message if that message has been deleted', () => {
    const tracker = createChangeTracker();
    tracker.recordDeletion('c-6');
    expect(fetched(undefined, reply, tracker, 1).state.conversation.last_message).toBe(null);
    tracker.recordDeletion('c-9');
    const had = cachedConversation({ last_message: message(9) });
    const five = expanded({ last_message: message(5) });
    expect(fetched(had, five, tracker, 0).state.conversation.last_message).toEqual(message(5));
  });

  test('does not replace flags that changed after the request, and requires a refetch', () => {
    const tracker = createChangeTracker();
    tracker.recordEvent('c', 2);
    expect(fetched(cachedConversation(), reply, tracker, 0)).toEqual({
      state: {
        conversation: { ...reply, is_muted: false, last_active_at: 5 },
        rank: 1,
        fetchedAt: performance.now(),
        lastCountedId: 'c-6',
        lastEventTick: 10,
      },
      isExact: false,
    });
    expect(fetched(undefined, reply, tracker, 0).isExact).toBe(false);
  });
});
