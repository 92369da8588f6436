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
/** Returns the n-th message, sent in second n. */
const message = (n: number, by = 'bob', text = `${n}`): Message => ({
  id: `c-${n}`,
  conversation_id: 'c',
  contact: person(by),
  message: text,
  reactions: [],
  attachments: [],
  read_at: null,
  created_at: n,
  updated_at: null,
});
const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  id: 'c',
  contact_id: 'bob',
  group_id: null,
  pinned_message_id: null,
  is_pinned: false,
  is_muted: false,
  last_active_at: 5,
  last_opened_at: null,
  created_at: 1,
  archived_at: null,
  ...more,
});
const expanded = (more: Partial<Conversation> = {}) =>
  conversation({ contact: person('bob'), last_message: message(5), unread_count: 2, ...more });

/** Returns a conversation that was fetched a minute ago, when message 5 was the newest. */
const held = (more: Partial<Conversation> = {}): CachedConversation => ({
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
    expect(came(held(), message(7))).toEqual({
      isExact: true,
      one: {
        ...held(),
        conversation: expanded({ last_active_at: 7, last_message: message(7), unread_count: 3 }),
        rank: -1,
        lastCountedId: 'c-7',
        lastEventTick: 11,
      },
    });
  });

  test('does not raise the unread count above 100', () => {
    expect(came(held({ unread_count: 99 }), message(7)).one.conversation.unread_count).toBe(100);
    expect(came(held({ unread_count: 100 }), message(7)).one.conversation.unread_count).toBe(100);
  });

  test('that the user sent is not counted', () => {
    const { one, isExact } = came({ ...held(), fetchedAt: performance.now() }, message(7, 'ann'));
    expect(isExact).toBe(true);
    expect(one.conversation).toEqual(
      expanded({ last_active_at: 7, last_message: message(7, 'ann') }),
    );
  });

  test('does not add fields that are not expanded', () => {
    const had = { ...held(), conversation: conversation() };
    expect(came(had, message(7))).toMatchObject({
      isExact: true,
      one: { conversation: conversation({ last_active_at: 7 }) },
    });
    expect(Object.keys(came(had, message(7)).one.conversation)).toEqual(
      Object.keys(conversation()),
    );
  });

  test('that is the conversation’s first becomes the last message and moves the conversation to the top', () => {
    const { one } = came(held({ last_active_at: null, last_message: null }), message(7));
    expect(one).toMatchObject({
      rank: -1,
      conversation: { last_active_at: 7, last_message: message(7) },
    });
  });

  test('that arrives after a newer message is counted, but changes neither the last message nor the order', () => {
    const had = { ...held({ last_active_at: 9, last_message: message(9) }), lastCountedId: 'c-4' };
    const { one } = came(had, message(7));
    expect(one.conversation).toEqual(
      expanded({ last_active_at: 9, last_message: message(9), unread_count: 3 }),
    );
    expect(one.rank).toBe(3);
    // A message older than the last activity becomes the last message without changing the order.
    expect(came(held({ last_active_at: 9 }), message(7)).one).toMatchObject({
      rank: 3,
      conversation: { last_active_at: 9, last_message: message(7) },
    });
  });

  test('replaces the last message if both have the same id, because a late event includes later edits', () => {
    const edited = message(5, 'bob', 'edited');
    expect(came(held(), edited).one.conversation).toEqual(expanded({ last_message: edited }));
  });

  test('in the same second as the last activity moves the conversation to the top', () => {
    expect(came(held({ last_active_at: 7 }), message(7)).one.rank).toBe(-1);
  });

  test('that may already be counted requires a refetch of the conversation', () => {
    for (const n of [4, 5]) {
      expect(came(held(), message(n))).toMatchObject({
        isExact: false,
        one: { lastCountedId: 'c-5', conversation: { unread_count: 2 } },
      });
    }
    const fresh = (milliseconds: number) => ({
      ...held(),
      fetchedAt: performance.now() - milliseconds,
    });
    expect(came(fresh(4999), message(7)).isExact).toBe(false);
    expect(came(fresh(5000), message(7)).isExact).toBe(true);
    const { last_message: _, ...without } = expanded();
    expect(came({ ...held(), conversation: without }, message(7)).isExact).toBe(false);
  });

  test('that may already be read, or that the user may have sent, requires a refetch of the conversation', () => {
    expect(came(held({ last_opened_at: 7 }), message(7)).isExact).toBe(false);
    expect(came(held({ last_opened_at: 6 }), message(7)).isExact).toBe(true);
    expect(
      withNewMessage(held(), message(7), { me: undefined, now: 11, top: () => -1 }).isExact,
    ).toBe(false);
  });

  test('is newer than the last message if its id is greater', () => {
    expect([4, 5, 6].map((n) => isNewerThanLast(held(), message(n)))).toEqual([false, false, true]);
    expect(isNewerThanLast(held({ last_message: null }), message(1))).toBe(true);
    expect(isNewerThanLast(undefined, message(1))).toBe(true);
  });
});

describe('A message that', () => {
  test('is changed updates the conversation if it is the last message', () => {
    const edited = message(5, 'bob', 'edited');
    expect(withMessageUpdate(held(), edited)).toEqual({
      ...held(),
      conversation: expanded({ last_message: edited }),
    });
    expect(withMessageUpdate(held(), message(4, 'bob', 'edited'))).toEqual(held());
  });

  test('is deleted is no longer last or pinned, and requires a refetch if it was last or may be unread', () => {
    const read = held({ unread_count: 0, pinned_message_id: 'c-4' });
    const one = { ...read, lastEventTick: 11 };
    expect(withMessageDeleted(read, 'c-3', 11)).toEqual({ one, isExact: true });
    expect(withMessageDeleted(read, 'c-4', 11)).toEqual({
      one: { ...one, conversation: expanded({ unread_count: 0 }) },
      isExact: true,
    });
    expect(withMessageDeleted(read, 'c-5', 11)).toEqual({
      one: {
        ...one,
        conversation: expanded({ unread_count: 0, pinned_message_id: 'c-4', last_message: null }),
      },
      isExact: false,
    });
    expect(withMessageDeleted(held(), 'c-3', 11)).toEqual({
      one: { ...held(), lastEventTick: 11 },
      isExact: false,
    });
  });
});

describe('A conversation that changes', () => {
  test('keeps its expanded fields and its latest activity', () => {
    const muted = conversation({ is_muted: true, last_active_at: 4 });
    expect(withConversationUpdate(held(), muted)).toEqual({
      one: { ...held(), conversation: expanded({ is_muted: true }) },
      isExact: true,
    });
    const active = (before: number | null, now: number | null) =>
      withConversationUpdate(
        held({ last_active_at: before }),
        conversation({ last_active_at: now }),
      ).one.conversation.last_active_at;
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
    expect(withConversationUpdate(held(), opening).isExact).toBe(false);
    expect(withConversationUpdate(held({ unread_count: 0 }), opening).isExact).toBe(true);
    expect(withConversationUpdate(held(), conversation()).isExact).toBe(true);
    const opened = held({ unread_count: 0, last_opened_at: opening.last_opened_at });
    // Another device has marked messages as unread.
    expect(withConversationUpdate(opened, opening).isExact).toBe(false);
    expect(withConversationUpdate(opened, { ...opening, is_muted: true }).isExact).toBe(true);
  });

  test('because of a read mark has no unread messages; if later messages exist, it requires a refetch instead', () => {
    for (const newest of ['c-5', 'c-6']) {
      expect(withMessagesRead(held(), newest, 11)).toEqual({
        one: { ...held({ unread_count: 0 }), lastCountedId: newest, lastEventTick: 11 },
        isExact: true,
      });
    }
    expect(withMessagesRead(held(), 'c-4', 11)).toEqual({ one: held(), isExact: false });
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
    const know = createChangeTracker();
    const one = {
      conversation: reply,
      rank: 1,
      fetchedAt: performance.now(),
      lastCountedId: 'c-6',
      lastEventTick: 20,
    };
    expect(fetched(undefined, reply, know, 20)).toEqual({
      one,
      isExact: true,
    });
    expect(fetched(held(), reply, know, 20)).toEqual({
      one,
      isExact: true,
    });
    expect(fetched(held(), reply, know, 10)).toEqual({
      one: { ...one, lastEventTick: 10 },
      isExact: true,
    });
    // The order of two requests with the same tick is unknown.
    expect(fetched({ ...held(), lastCountedId: 'c-8' }, reply, know, 10).one.lastCountedId).toBe(
      'c-8',
    );
  });

  test('is stored even if it has no last message or no expanded fields', () => {
    const know = createChangeTracker();
    const none = fetched(held(), expanded({ last_message: null }), know, 20);
    expect(none.one).toMatchObject({ lastCountedId: 'c-5', conversation: { last_message: null } });
    const bare = fetched(undefined, conversation(), know, 20);
    expect(bare.one.conversation).toEqual(conversation());
    expect(bare.one.lastCountedId).toBe('');
  });

  test('does not replace a newer last message from an event, and requires a refetch', () => {
    const know = createChangeTracker();
    know.recordEvent('c-8', 1);
    const had = {
      ...held({ last_active_at: 8, last_message: message(8) }),
      lastEventTick: 1,
      lastCountedId: 'c-8',
    };
    expect(fetched(had, reply, know, 0)).toEqual({
      one: {
        conversation: { ...reply, last_active_at: 8, last_message: message(8) },
        rank: 1,
        fetchedAt: performance.now(),
        lastCountedId: 'c-8',
        lastEventTick: 1,
      },
      isExact: false,
    });
    const later = expanded({ last_active_at: 9, last_message: message(9) });
    expect(fetched(had, later, know, 0).one).toMatchObject({
      conversation: later,
      lastCountedId: 'c-9',
    });
    // The reply has an older text of the same message.
    const old = expanded({ last_active_at: 8, last_message: message(8, 'bob', 'old') });
    expect(fetched(had, old, know, 0).one.conversation.last_message).toEqual(message(8));
    expect(
      fetched(had, expanded({ last_message: null }), know, 0).one.conversation.last_message,
    ).toEqual(message(8));
  });

  test('that lacks the newest message changes neither `unread_count` nor `mentioned`', () => {
    const know = createChangeTracker();
    const had = {
      ...held({ last_message: message(8), unread_count: 1, mentioned: true }),
      lastEventTick: 1,
      lastCountedId: 'c-8',
    };
    const old = expanded({ last_message: message(6), unread_count: 0, mentioned: false });
    expect(fetched(had, old, know, 0).one.conversation).toMatchObject({
      unread_count: 1,
      mentioned: true,
    });
    expect(fetched(had, { ...old, last_message: message(8) }, know, 0).one.conversation).toEqual({
      ...old,
      last_message: message(8),
    });
    expect(fetched(had, conversation(), know, 0).one.conversation).toEqual(conversation());
  });

  test('is stored without a last message that has been deleted', () => {
    const know = createChangeTracker();
    know.recordDeletion('c-6');
    expect(fetched(undefined, reply, know, 1).one.conversation.last_message).toBe(null);
    know.recordDeletion('c-9');
    const had = held({ last_message: message(9) });
    const five = expanded({ last_message: message(5) });
    expect(fetched(had, five, know, 0).one.conversation.last_message).toEqual(message(5));
  });

  test('does not replace flags that changed after the request, and requires a refetch', () => {
    const know = createChangeTracker();
    know.recordEvent('c', 2);
    expect(fetched(held(), reply, know, 0)).toEqual({
      one: {
        conversation: { ...reply, is_muted: false, last_active_at: 5 },
        rank: 1,
        fetchedAt: performance.now(),
        lastCountedId: 'c-6',
        lastEventTick: 10,
      },
      isExact: false,
    });
    expect(fetched(undefined, reply, know, 0).isExact).toBe(false);
  });
});
