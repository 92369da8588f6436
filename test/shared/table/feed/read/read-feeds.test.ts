import { expect, jest, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { newConversationId } from '../../../../../shared/ids.ts';
import { type Inbox, toFeedName } from '../../../../../shared/inbox.ts';
import { resetUsage, usage } from '../../../../../shared/log/usage.ts';
import { removeItems } from '../../../../../shared/table/calls/remove-items.ts';
import {
  emptyChunk,
  getChunkCapacity,
  getChunksFrom,
} from '../../../../../shared/table/feed/feed-chunk.ts';
import { formatEntry } from '../../../../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../../../../shared/table/feed/feed-writer.ts';
import { readFeeds } from '../../../../../shared/table/feed/read/read-feeds.ts';
import { chunkKey } from '../../../../../shared/table/keys/keys.ts';
import '../../../../support/setup/use-table.ts';

const start = 1_800_000_000;
const day = 24 * 60 * 60;
const id = newConversationId(start * 1000);

/** Appends an entry at each of the times, in Unix seconds. */
async function appendAt(inbox: Inbox, times: number[]) {
  jest.spyOn(clock, 'now').mockReturnValue(Math.max(...times) * 1000);
  const entries = times.map((at, n) =>
    formatEntry({ type: 'conversation.updated', id, version: n, at }),
  );
  await createFeedWriter()(inbox, entries);
}

/** Appends entries, one per second. */
const append = (inbox: Inbox, count: number, first = start) =>
  appendAt(
    inbox,
    Array.from({ length: count }, (_, n) => first + n),
  );

const inboxOf = (name: string): Inbox => ({ kind: 'contact', id: name });

test.each([1, 2, 3])(
  'With %i feeds, a page of a hundred entries takes one call per feed',
  async (count) => {
    const inboxes = Array.from({ length: count }, (_, n) => inboxOf(`page-${count}-${n}`));
    for (const inbox of inboxes) await append(inbox, 110);
    resetUsage();
    const { entries, hasMore } = await readFeeds(inboxes, undefined, 100);
    expect([entries.length, hasMore, usage.table_calls]).toEqual([100, true, count]);
  },
);

test('A page has the retained entries of all feeds, even if one feed begins with many expired entries', async () => {
  const [one, other] = [inboxOf('expired'), inboxOf('fresh')];
  await append(one, 300);
  const late = start + 20 * day;
  await append(one, 20, late);
  await append(other, 20, late);
  jest.spyOn(clock, 'now').mockReturnValue((start + 32 * day) * 1000);

  const { entries, hasMore } = await readFeeds([one, other], undefined, 100);
  const versions = (inbox: Inbox) =>
    entries.filter((feedEntry) => feedEntry.inbox === inbox).map(({ entry }) => entry.at - late);
  const indexes = Array.from({ length: 20 }, (_, n) => n);
  expect(versions(one).filter((after) => after >= 0)).toEqual(indexes);
  expect(versions(other)).toEqual(indexes);
  expect(hasMore).toBe(false);
});

test('Feeds are merged by time, but a late entry keeps its position in its feed', async () => {
  const [one, other] = [inboxOf('late'), inboxOf('in-time')];
  const at = [0, 10, 5, 20].map((after) => start + after);
  await appendAt(one, at);
  await append(other, 3, start + 7);
  for (const inboxes of [
    [one, other],
    [other, one],
  ]) {
    const { entries } = await readFeeds(inboxes, undefined, 100);
    expect(entries.map(({ entry }) => entry.at - start)).toEqual([0, 7, 8, 9, 10, 5, 20]);
  }
});

test('If a chunk is removed while an older chunk remains, reads start after the removed chunk, and cursors in the removed chunk or an earlier chunk have expired', async () => {
  const inbox = inboxOf('gap');
  await append(inbox, 60);
  const { entries: all } = await readFeeds([inbox], undefined, 100);
  const firsts = [...new Set(all.map(({ chunk }) => chunk))];
  const [, second = 0, third = 0] = firsts;
  await removeItems([chunkKey(inbox, second)]);

  const { entries } = await readFeeds([inbox], undefined, 100);
  expect(entries).toEqual(all.filter(({ chunk }) => chunk >= third));
  const feed = toFeedName(inbox);
  const from = (next: number, chunk: number) =>
    readFeeds([inbox], new Map([[feed, { next, chunk }]]), 100);
  expect((await from(third, third)).entries).toEqual(entries);
  for (const [next, chunk] of [
    [1, 1],
    [second, 1],
    [second + 1, second],
  ] as const) {
    await expect(from(next, chunk)).rejects.toMatchObject({ code: 'cursor_expired' });
  }
});

/** Empties all chunks, as an erasure does. Returns their number. */
async function emptyFeed(inbox: Inbox) {
  const { chunks } = await getChunksFrom(inbox, 1, 1000);
  for (const chunk of chunks) await emptyChunk(inbox, chunk);
  return chunks.length;
}

// A query for ten entries returns at most four chunks, so five or more emptied chunks
// need several queries.
test.each([1, 2, 4, 5, 9, 60])(
  'After all %i chunks of a feed are emptied, reads return only later entries, and older cursors have expired',
  async (chunks) => {
    const inbox = inboxOf(`emptied-${chunks}`);
    const perChunk = getChunkCapacity(inbox);
    await append(inbox, chunks * perChunk);
    expect(await emptyFeed(inbox)).toBe(chunks);
    resetUsage();
    const { start: positions, entries, hasMore } = await readFeeds([inbox], undefined, 10);
    expect([entries, hasMore]).toEqual([[], false]);
    expect(usage.table_calls).toBeLessThanOrEqual(10);
    expect((await readFeeds([inbox], positions, 10)).entries).toEqual([]);

    await append(inbox, 2, start + day);
    for (const from of [undefined, positions]) {
      const { entries: later } = await readFeeds([inbox], from, 10);
      expect(later.map(({ sequence }) => sequence - chunks * perChunk)).toEqual([1, 2]);
    }
    const old = new Map([[toFeedName(inbox), { next: 2, chunk: 1 }]]);
    await expect(readFeeds([inbox], old, 10)).rejects.toMatchObject({ code: 'cursor_expired' });
  },
);

test('If only the second of three chunks is emptied, reads start after it', async () => {
  const inbox = inboxOf('emptied-later');
  await append(inbox, 3 * getChunkCapacity(inbox));
  const [, second] = (await getChunksFrom(inbox, 1, 10)).chunks;
  if (second) await emptyChunk(inbox, second);
  const { entries } = await readFeeds([inbox], undefined, 10);
  expect(entries.map(({ sequence }) => sequence)[0]).toBe(2 * getChunkCapacity(inbox) + 1);
});
