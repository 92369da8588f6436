import { describe, expect, test } from '@jest/globals';
import type { Conversation } from '../../../../../client/src/index.ts';
import type { CachedConversation } from '../../../../../client/src/live/stores/cached-conversation.ts';
import {
  belongsToList,
  createConversationCache,
  getListed,
  hasTiedPosition,
  putConversation,
  removeConversation,
  setLoadedEnd,
  takeTopRank,
  trimList,
  unlistConversation,
} from '../../../../../client/src/live/stores/conversation-cache.ts';
import {
  type ConversationFilters,
  matchesFilters,
} from '../../../../../client/src/live/stores/conversation-order.ts';

const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  id,
  contact_id: 'bob',
  group_id: null,
  pinned_message_id: null,
  is_pinned: false,
  is_muted: false,
  last_active_at: null,
  last_opened_at: null,
  created_at: 1,
  archived_at: null,
  ...more,
});
const held = (
  id: string,
  last_active_at: number | null,
  more: Partial<CachedConversation> = {},
): CachedConversation => ({
  conversation: conversation(id, { last_active_at }),
  rank: 0,
  fetchedAt: 0,
  lastCountedId: '',
  lastEventTick: 0,
  ...more,
});

function emptyShelf({
  filters = {},
  most = 9,
}: {
  filters?: ConversationFilters;
  most?: number;
} = {}) {
  const news: string[] = [];
  const open = new Set<string>();
  const shelf = createConversationCache({
    filters,
    maxListed: most,
    onChange: (id = 'the list') => news.push(`${id} changed`),
    onRemoved: (id) => news.push(`${id} is gone`),
    isOpen: (id) => open.has(id),
  });
  const ids = () => getListed(shelf).map(({ conversation: { id } }) => id);
  const heard = () => news.splice(0);
  return { shelf, ids, heard, open };
}

describe('The list', () => {
  test('is ordered by activity, then by rank within a second, then by id', () => {
    const { shelf, ids, heard } = emptyShelf();
    putConversation(shelf, held('b', 7));
    putConversation(shelf, held('d', 5, { rank: 2 }));
    putConversation(shelf, held('c', 5, { rank: 1 }));
    putConversation(shelf, held('e', null, { rank: 4 }));
    putConversation(shelf, held('f', 1, { rank: 4 }));
    putConversation(shelf, held('a', 9));
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'f', 'e']);
    expect(heard()).toEqual(['b', 'd', 'c', 'e', 'f', 'a'].map((id) => `${id} changed`));
    expect(shelf.entries.get('b')).toEqual(held('b', 7));
    putConversation(shelf, held('b', 10));
    expect(ids()).toEqual(['b', 'a', 'c', 'd', 'f', 'e']);
    expect([...shelf.entries.values()]).toHaveLength(6);
    expect(['c', 'd', 'a', 'x'].map((id) => hasTiedPosition(shelf, id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([takeTopRank(shelf), takeTopRank(shelf)]).toEqual([-1, -2]);
  });

  test('with a flag filter is ordered by creation, newest first', () => {
    for (const filters of [{ muted: true }, { archived: true }, { pinned: true }]) {
      const { shelf, ids } = emptyShelf({ filters });
      const flags = { is_muted: true, archived_at: 1, is_pinned: true };
      for (const [id, last_active_at] of Object.entries({ b: 5, a: 9, c: 5 }))
        putConversation(shelf, {
          ...held(id, null),
          conversation: conversation(id, { last_active_at, ...flags }),
        });
      expect(ids()).toEqual(['c', 'b', 'a']);
      expect(hasTiedPosition(shelf, 'b')).toBe(false);
      setLoadedEnd(shelf, { last: conversation('b', { last_active_at: 99 }), next: null });
      expect(ids()).toEqual(['c', 'b']);
    }
  });

  test('contains conversations up to the loaded end', () => {
    const { shelf, ids, heard } = emptyShelf();
    for (const [id, at] of Object.entries({ a: 9, b: 7, c: 7, d: 5 }))
      putConversation(shelf, held(id, at));
    heard();
    const end = { last: conversation('b', { last_active_at: 7 }), next: { starting_after: 'b' } };
    setLoadedEnd(shelf, end);
    expect(shelf.end).toBe(end);
    expect(ids()).toEqual(['a', 'c', 'b']);
    expect(shelf.entries.get('d')).toBeUndefined();
    expect(heard()).toEqual(
      ['a', 'c', 'b', 'd'].map((id) => `${id} changed`).concat('the list changed'),
    );
    expect(belongsToList(shelf, conversation('x', { last_active_at: 6 }))).toBe(false);
    expect(belongsToList(shelf, conversation('x', { last_active_at: 7 }))).toBe(true);
    putConversation(shelf, held('x', 6));
    expect([shelf.entries.get('x'), shelf.outsideIds.has('x')]).toEqual([undefined, false]);
    setLoadedEnd(shelf, undefined);
    putConversation(shelf, held('x', 6));
    expect(ids()).toEqual(['a', 'c', 'b', 'x']);
  });

  test('keeps at most the maximum number of conversations', () => {
    const { shelf, ids } = emptyShelf({ most: 2 });
    for (const [id, at] of Object.entries({ a: 9, b: 7 })) putConversation(shelf, held(id, at));
    trimList(shelf);
    expect(shelf.end).toBeUndefined();
    putConversation(shelf, held('c', 8));
    trimList(shelf);
    expect(ids()).toEqual(['a', 'c']);
    expect(shelf.end).toEqual({ last: conversation('c', { last_active_at: 8 }), next: null });
    shelf.maxListed = 3;
    setLoadedEnd(shelf, undefined);
    for (const [id, at] of Object.entries({ d: 5, e: 4 })) putConversation(shelf, held(id, at));
    trimList(shelf);
    expect(ids()).toEqual(['a', 'c', 'd']);
  });
});

describe('A conversation', () => {
  test('that does not match the filters is remembered until it does', () => {
    const { shelf, ids } = emptyShelf({ filters: { exclude: ['archived'] } });
    const archived = (id: string) => ({
      ...held(id, 1),
      conversation: conversation(id, { archived_at: 1 }),
    });
    putConversation(shelf, held('a', 1));
    expect([shelf.outsideIds.has('a'), shelf.outsideIds.has('b')]).toEqual([false, false]);
    putConversation(shelf, archived('a'));
    expect([shelf.outsideIds.has('a'), shelf.entries.get('a'), ids()]).toEqual([
      true,
      undefined,
      [],
    ]);
    putConversation(shelf, held('a', 1));
    expect([shelf.outsideIds.has('a'), ids()]).toEqual([false, ['a']]);
    // The number of remembered ids is limited.
    for (let n = 0; n < 1001; n += 1) putConversation(shelf, archived(`many-${n}`));
    expect(['many-0', 'many-1', 'many-1000'].map((id) => shelf.outsideIds.has(id))).toEqual([
      false,
      true,
      true,
    ]);
    removeConversation(shelf, 'many-1');
    expect(shelf.outsideIds.has('many-1')).toBe(false);
  });

  test('that is open stays in memory even if it is not listed', () => {
    const { shelf, ids, open } = emptyShelf();
    putConversation(shelf, held('a', 9));
    setLoadedEnd(shelf, { last: conversation('a', { last_active_at: 9 }), next: null });
    open.add('b');
    putConversation(shelf, held('b', 1));
    expect([shelf.entries.get('b'), shelf.listedIds.has('b'), ids()]).toEqual([
      held('b', 1),
      false,
      ['a'],
    ]);
    expect(hasTiedPosition(shelf, 'b')).toBe(false);
    open.delete('b');
    putConversation(shelf, held('b', 1));
    expect([shelf.entries.get('b'), ids()]).toEqual([undefined, ['a']]);
  });

  test('is removed with a notification if it is deleted, and without one if it is unlisted', () => {
    const { shelf, ids, heard } = emptyShelf();
    for (const id of ['a', 'b']) putConversation(shelf, held(id, 1));
    heard();
    removeConversation(shelf, 'a');
    expect([shelf.entries.get('a'), ids(), heard()]).toEqual([
      undefined,
      ['b'],
      ['a is gone', 'a changed'],
    ]);
    unlistConversation(shelf, 'b');
    expect([shelf.entries.get('b'), ids(), heard()]).toEqual([undefined, [], []]);
  });

  test('belongs to a list if it matches the list’s filters', () => {
    const plain = conversation('c');
    const muted = conversation('c', { is_muted: true });
    const archived = conversation('c', { archived_at: 1 });
    const pinned = conversation('c', { is_pinned: true });
    const group = conversation('c', { group_id: 'team', contact_id: null });
    const both = conversation('c', { group_id: 'team' });
    const all = { plain, muted, archived, pinned, group, both };
    const listed = (filters: ConversationFilters) =>
      Object.entries(all).flatMap(([name, one]) => (matchesFilters(filters, one) ? [name] : []));
    expect(listed({})).toEqual(Object.keys(all));
    expect(listed({ muted: false, archived: false, pinned: false })).toEqual(Object.keys(all));
    expect(listed({ muted: true })).toEqual(['muted']);
    expect(listed({ archived: true })).toEqual(['archived']);
    expect(listed({ pinned: true })).toEqual(['pinned']);
    expect(listed({ muted: true, pinned: true })).toEqual([]);
    expect(listed({ exclude: ['archived', 'muted'] })).toEqual([
      'plain',
      'pinned',
      'group',
      'both',
    ]);
    expect(listed({ contact_id: 'bob' })).toEqual(['plain', 'muted', 'archived', 'pinned']);
    expect(listed({ contact_id: 'carol' })).toEqual([]);
    expect(listed({ group_id: 'team' })).toEqual(['group', 'both']);
    expect(listed({ group_id: 'other' })).toEqual([]);
    expect(listed({ group_id: 'team', contact_id: 'bob' })).toEqual(['both']);
  });
});
