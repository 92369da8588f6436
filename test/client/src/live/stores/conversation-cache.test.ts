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
import { examples } from '../../../../../shared/contract/examples.ts';

const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  ...examples['conversations/create'].reply,
  ...{ id, created_at: 1 },
  ...more,
});
const cached = (
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

function createEmptyCache({
  filters = {},
  maxListed = 9,
}: {
  filters?: ConversationFilters;
  maxListed?: number;
} = {}) {
  const updates: string[] = [];
  const open = new Set<string>();
  const cache = createConversationCache({
    filters,
    maxListed,
    onChange: (id = 'the list') => updates.push(`${id} changed`),
    onRemoved: (id) => updates.push(`${id} is gone`),
    isOpen: (id) => open.has(id),
  });
  const ids = () => getListed(cache).map(({ conversation: { id } }) => id);
  const takeUpdates = () => updates.splice(0);
  return { cache, ids, takeUpdates, open };
}

describe('The list', () => {
  test('is ordered by activity, then by rank within a second, then by id', () => {
    const { cache, ids, takeUpdates } = createEmptyCache();
    putConversation(cache, cached('b', 7));
    putConversation(cache, cached('d', 5, { rank: 2 }));
    putConversation(cache, cached('c', 5, { rank: 1 }));
    putConversation(cache, cached('e', null, { rank: 4 }));
    putConversation(cache, cached('f', 1, { rank: 4 }));
    putConversation(cache, cached('a', 9));
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'f', 'e']);
    expect(takeUpdates()).toEqual(['b', 'd', 'c', 'e', 'f', 'a'].map((id) => `${id} changed`));
    expect(cache.entries.get('b')).toEqual(cached('b', 7));
    putConversation(cache, cached('b', 10));
    expect(ids()).toEqual(['b', 'a', 'c', 'd', 'f', 'e']);
    expect([...cache.entries.values()]).toHaveLength(6);
    expect(['c', 'd', 'a', 'x'].map((id) => hasTiedPosition(cache, id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    setLoadedEnd(cache, { last: conversation('g', { last_active_at: 9 }), next: null });
    expect(['a', 'b'].map((id) => hasTiedPosition(cache, id))).toEqual([true, false]);
    expect([takeTopRank(cache), takeTopRank(cache)]).toEqual([-1, -2]);
  });

  test('with a flag filter is ordered by id, newest first', () => {
    for (const filters of [{ muted: true }, { archived: true }, { pinned: true }]) {
      const { cache, ids } = createEmptyCache({ filters });
      const flags = { is_muted: true, archived_at: 1, is_pinned: true };
      for (const [id, last_active_at] of Object.entries({ b: 5, a: 9, c: 5 }))
        putConversation(cache, {
          ...cached(id, null),
          conversation: conversation(id, { last_active_at, ...flags }),
        });
      expect(ids()).toEqual(['c', 'b', 'a']);
      expect(hasTiedPosition(cache, 'b')).toBe(false);
      setLoadedEnd(cache, { last: conversation('b', { last_active_at: 99 }), next: null });
      expect(ids()).toEqual(['c', 'b']);
    }
  });

  test('contains no conversations below the end of the loaded pages', () => {
    const { cache, ids, takeUpdates } = createEmptyCache();
    for (const [id, at] of Object.entries({ a: 9, b: 7, c: 7, d: 5 }))
      putConversation(cache, cached(id, at));
    takeUpdates();
    const end = { last: conversation('b', { last_active_at: 7 }), next: { starting_after: 'b' } };
    setLoadedEnd(cache, end);
    expect(cache.end).toBe(end);
    expect(ids()).toEqual(['a', 'c', 'b']);
    expect(cache.entries.get('d')).toBeUndefined();
    expect(takeUpdates()).toEqual(
      ['a', 'c', 'b', 'd'].map((id) => `${id} changed`).concat('the list changed'),
    );
    expect(belongsToList(cache, conversation('x', { last_active_at: 6 }))).toBe(false);
    expect(belongsToList(cache, conversation('x', { last_active_at: 7 }))).toBe(true);
    putConversation(cache, cached('x', 6));
    expect([cache.entries.get('x'), cache.outsideIds.has('x')]).toEqual([undefined, false]);
    setLoadedEnd(cache, undefined);
    putConversation(cache, cached('x', 6));
    expect(ids()).toEqual(['a', 'c', 'b', 'x']);
  });

  test('keeps at most `maxListed` conversations', () => {
    const { cache, ids } = createEmptyCache({ maxListed: 2 });
    for (const [id, at] of Object.entries({ a: 9, b: 7 })) putConversation(cache, cached(id, at));
    trimList(cache);
    expect(cache.end).toBeUndefined();
    putConversation(cache, cached('c', 8));
    trimList(cache);
    expect(ids()).toEqual(['a', 'c']);
    expect(cache.end).toEqual({ last: conversation('c', { last_active_at: 8 }), next: null });
    cache.maxListed = 3;
    setLoadedEnd(cache, undefined);
    for (const [id, at] of Object.entries({ d: 5, e: 4 })) putConversation(cache, cached(id, at));
    trimList(cache);
    expect(ids()).toEqual(['a', 'c', 'd']);
  });
});

describe('A conversation', () => {
  test('that does not match the filters is remembered by id until it matches', () => {
    const { cache, ids } = createEmptyCache({ filters: { exclude: ['archived'] } });
    const archived = (id: string) => ({
      ...cached(id, 1),
      conversation: conversation(id, { archived_at: 1 }),
    });
    putConversation(cache, cached('a', 1));
    expect([cache.outsideIds.has('a'), cache.outsideIds.has('b')]).toEqual([false, false]);
    putConversation(cache, archived('a'));
    expect([cache.outsideIds.has('a'), cache.entries.get('a'), ids()]).toEqual([
      true,
      undefined,
      [],
    ]);
    putConversation(cache, cached('a', 1));
    expect([cache.outsideIds.has('a'), ids()]).toEqual([false, ['a']]);
    // `outsideIds` contains at most 1,000 ids.
    for (let n = 0; n < 1001; n += 1) putConversation(cache, archived(`many-${n}`));
    expect(['many-0', 'many-1', 'many-1000'].map((id) => cache.outsideIds.has(id))).toEqual([
      false,
      true,
      true,
    ]);
    removeConversation(cache, 'many-1');
    expect(cache.outsideIds.has('many-1')).toBe(false);
  });

  test('that is open stays in memory even if it is not listed', () => {
    const { cache, ids, open } = createEmptyCache();
    putConversation(cache, cached('a', 9));
    setLoadedEnd(cache, { last: conversation('a', { last_active_at: 9 }), next: null });
    open.add('b');
    putConversation(cache, cached('b', 1));
    expect([cache.entries.get('b'), cache.listedIds.has('b'), ids()]).toEqual([
      cached('b', 1),
      false,
      ['a'],
    ]);
    expect(hasTiedPosition(cache, 'b')).toBe(false);
    open.delete('b');
    putConversation(cache, cached('b', 1));
    expect([cache.entries.get('b'), ids()]).toEqual([undefined, ['a']]);
  });

  test('is removed with a notification if it is deleted, and without a notification if it is unlisted', () => {
    const { cache, ids, takeUpdates } = createEmptyCache();
    for (const id of ['a', 'b']) putConversation(cache, cached(id, 1));
    takeUpdates();
    removeConversation(cache, 'a');
    expect([cache.entries.get('a'), ids(), takeUpdates()]).toEqual([
      undefined,
      ['b'],
      ['a is gone', 'a changed'],
    ]);
    unlistConversation(cache, 'b');
    expect([cache.entries.get('b'), ids(), takeUpdates()]).toEqual([undefined, [], []]);
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
