import { describe, expect, test } from '@jest/globals';
import { maxExternalIdLength } from '../../../../shared/contract/schema/field-types.ts';
import { toMessageId } from '../../../../shared/ids.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import {
  createChunk,
  getChunkCapacity,
  getNewestChunks,
} from '../../../../shared/table/feed/feed-chunk.ts';
import { formatEntry } from '../../../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../../../shared/table/feed/feed-writer.ts';
import { readFeeds } from '../../../../shared/table/feed/read/read-feeds.ts';
import { createVirtualClock } from '../../../support/handlers/virtual-clock.ts';
import { emptyTable } from '../../../support/table/empty-table.ts';
import { interceptHttp } from '../../../support/table/http-hooks.ts';
import '../../../support/setup/use-table.ts';

const conversationId = '01KAMB3YD2XY9Z0ABCDEFGHJKM';

/** Returns entries of the maximum length. */
const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) =>
    formatEntry({
      type: 'message.created',
      id: toMessageId({ conversationId, sequence: from + n, sentAt: 0 }),
      version: 36 ** 4 - 1,
      at: 36 ** 7 - 1,
    }),
  );
const sequencesOf = (from: number, to: number) =>
  new Map(texts(from, to).map((text, n) => [text, from + n]));

let inboxes = 0;
const newInbox = (length = 20): Inbox => ({
  kind: 'contact',
  id: `${inboxes++}`.padStart(length, 'a'),
});

async function charged<Result>(act: () => Promise<Result>) {
  resetUsage();
  const result = await act();
  const { table_calls: calls, write_units: writes } = usage;
  return { result, calls, writes };
}

async function allOf(inbox: Inbox) {
  const { entries } = await readFeeds([inbox], undefined, 1000);
  return entries.map(({ entry, sequence }) => [formatEntry(entry), sequence]);
}

describe('Appending to a feed', () => {
  test('assigns consecutive sequence numbers, and returns only the sequence numbers of the call’s entries', async () => {
    const [inbox, append] = [newInbox(), createFeedWriter()];
    expect(await append(inbox, texts(1, 3))).toEqual(sequencesOf(1, 3));
    expect(await append(inbox, texts(4, 5))).toEqual(sequencesOf(4, 5));
    expect(await allOf(inbox)).toEqual([...sequencesOf(1, 5)]);
  });

  test('makes no call for entries that the writer has already appended, and returns their sequence numbers, even if the entries are in older chunks', async () => {
    const [inbox, append] = [newInbox(), createFeedWriter()];
    await append(inbox, texts(1, 40));
    expect(await charged(() => append(inbox, texts(3, 20)))).toEqual({
      result: sequencesOf(3, 20),
      calls: 0,
      writes: 0,
    });
    expect(await append(inbox, texts(40, 41))).toEqual(sequencesOf(40, 41));
  });

  test('appends an entry once, even if a call contains it twice', async () => {
    const inbox = newInbox();
    const [one] = texts(1, 1);
    await createFeedWriter()(inbox, [one ?? '', one ?? '']);
    expect(await allOf(inbox)).toEqual([[one, 1]]);
  });

  test.each([
    [1, 15],
    [36, 15],
    [maxExternalIdLength, 13],
  ])(
    'costs one write unit if the newest chunk has room and two if it is full, for inbox ids of %d characters and chunks of %d entries of the maximum length',
    async (length, capacity) => {
      const [inbox, append] = [newInbox(length), createFeedWriter()];
      expect(getChunkCapacity(inbox)).toBe(capacity);
      await append(inbox, texts(1, 1));
      for (let n = 2; n <= capacity; n++) {
        const { calls, writes } = await charged(() => append(inbox, texts(n, n)));
        expect({ n, calls, writes }).toEqual({ n, calls: 1, writes: 1 });
      }
      // One write starts the next chunk, and one sets the expiry of the full chunk.
      const next = await charged(() => append(inbox, texts(capacity + 1, capacity + 1)));
      expect(next).toMatchObject({ calls: 2, writes: 2 });
    },
  );

  test.each([
    // The chunk with the first entry has room for fourteen more entries.
    ['fills the newest chunk with one write if all entries fit', 14, { calls: 1, writes: 1 }],
    [
      'creates further chunks with two writes each if the entries fill several',
      14 + 5 * 15 + 9,
      { calls: 13, writes: 13 },
    ],
    [
      'fills the newest chunk and creates another if some entries do not fit',
      14 + 3,
      { calls: 3, writes: 3 },
    ],
  ])('%s', async (_, count, cost) => {
    const [inbox, append] = [newInbox(), createFeedWriter()];
    await append(inbox, texts(1, 1));
    expect(await charged(() => append(inbox, texts(2, count + 1)))).toEqual({
      result: sequencesOf(2, count + 1),
      ...cost,
    });
    expect(await allOf(inbox)).toEqual([...sequencesOf(1, count + 1)]);
  });

  test('sets no expiry on the newest chunk, even if a writer crashes before it creates the next chunk', async () => {
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    await createFeedWriter()(inbox, texts(1, capacity));
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });
    const hook = interceptHttp(async ({ operation }, proceed) => {
      if (operation === 'PutItem') throw refused;
      return proceed();
    });
    await expect(createFeedWriter()(inbox, texts(capacity + 1, capacity + 1))).rejects.toThrow();
    await hook.remove();
    const [newest] = await getNewestChunks(inbox, 1);
    expect(newest).toMatchObject({ first: 1, room: 0 });
    expect(newest).not.toHaveProperty('expires_at');
  });

  test('costs an additional read of the newest chunks if the writer has not cached the feed', async () => {
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    const by = (from: number, to: number) =>
      charged(() => createFeedWriter()(inbox, texts(from, to)));
    expect(await by(1, 2)).toMatchObject({ calls: 3, writes: 2 });
    expect(await by(3, capacity)).toMatchObject({ calls: 2, writes: 1 });
    expect(await by(capacity + 1, capacity + 1)).toMatchObject({ calls: 3, writes: 2 });
    expect(await by(capacity + 2, capacity + 2)).toMatchObject({ calls: 2, writes: 1 });
  });

  test('reads no chunk within an hour of the writer’s previous append', async () => {
    const { pass } = createVirtualClock();
    const [inbox, append] = [newInbox(), createFeedWriter()];
    await append(inbox, texts(1, 1));
    pass(59 * 60_000);
    expect(await charged(() => append(inbox, texts(2, 2)))).toMatchObject({ calls: 1 });
    pass(61 * 60_000);
    expect(await charged(() => append(inbox, texts(3, 3)))).toMatchObject({ calls: 2 });
  });

  test('continues after entries that other writers have appended', async () => {
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    const slow = createFeedWriter();
    await slow(inbox, texts(1, capacity));
    await createFeedWriter()(inbox, texts(capacity + 1, 2 * capacity + 1));
    const behind = 2 * capacity + 2;
    expect(await slow(inbox, texts(behind, behind))).toEqual(sequencesOf(behind, behind));
    expect(await allOf(inbox)).toEqual([...sequencesOf(1, behind)]);
  });

  test('continues at the end of the feed if the cached chunk was removed', async () => {
    const { pass } = createVirtualClock();
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    const [one, other] = [createFeedWriter(), createFeedWriter()];
    await one(inbox, texts(1, capacity));
    await other(inbox, texts(capacity + 1, capacity + 1));
    pass(31 * 24 * 60 * 60_000);
    await emptyTable();
    const end = 5 * capacity;
    await createChunk(inbox, end, texts(end, end));
    expect(await one(inbox, texts(end + 1, end + 1))).toEqual(sequencesOf(end + 1, end + 1));
    expect(await other(inbox, texts(end + 2, end + 2))).toEqual(sequencesOf(end + 2, end + 2));
  });

  test('sets the expiry of a full chunk, even if the writer that created the next chunk crashed', async () => {
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    await createChunk(inbox, 1, texts(1, capacity));
    await createChunk(inbox, capacity + 1, texts(capacity + 1, capacity + 1));
    const expiries = async () =>
      (await getNewestChunks(inbox, 2)).map(({ expires_at }) => expires_at);
    expect(await expiries()).toEqual([undefined, undefined]);
    await createFeedWriter()(inbox, texts(capacity + 2, capacity + 2));
    expect(await expiries()).toEqual([undefined, expect.any(Number)]);
    const before = await expiries();
    await createFeedWriter()(inbox, texts(capacity + 3, capacity + 3));
    expect(await expiries()).toEqual(before);
  });
});

describe('A feed of many chunks', () => {
  test('is read to its end, and a read of its first entry takes one call', async () => {
    const inbox = newInbox();
    const capacity = getChunkCapacity(inbox);
    await createFeedWriter()(inbox, texts(1, 10 * capacity));
    const read = async (limit: number) => {
      resetUsage();
      const { entries, hasMore } = await readFeeds([inbox], undefined, limit);
      return { entries: entries.length, hasMore, calls: usage.table_calls };
    };
    const count = 10 * capacity;
    expect(await read(1)).toEqual({ entries: 1, hasMore: true, calls: 1 });
    expect(await read(count)).toMatchObject({ entries: count, hasMore: false });
    expect(await read(1000)).toMatchObject({ entries: count, hasMore: false });
  });

  test('is queried again if the other feeds are empty and the first query does not reach the end of the feed', async () => {
    const capacity = getChunkCapacity(newInbox());
    const read = async (entries: number) => {
      const [inbox, ...others] = [newInbox(), newInbox(), newInbox(), newInbox()];
      await createFeedWriter()(inbox, texts(1, entries));
      resetUsage();
      const reading = await readFeeds([inbox, ...others], undefined, 100);
      return {
        entries: reading.entries.length,
        hasMore: reading.hasMore,
        calls: usage.table_calls,
      };
    };
    expect(await read(10 * capacity)).toEqual({ entries: 100, hasMore: true, calls: 5 });
    const fourChunks = 3 * capacity + 1;
    expect(await read(fourChunks)).toEqual({ entries: fourChunks, hasMore: false, calls: 4 });
  });
});
