import { afterEach, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../shared/clock.ts';
import { newConversationId } from '../../../../shared/ids.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import { feedWriter } from '../../../../shared/table/feed/append.ts';
import { entryText } from '../../../../shared/table/feed/entry.ts';
import { readFeeds } from '../../../../shared/table/feed/read.ts';
import '../../../support/table.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const start = 1_800_000_000;
const day = 24 * 60 * 60;
const id = newConversationId(start * 1000);

/** Something happens so many times, a second after the other. */
async function happens(inbox: Inbox, count: number, first = start) {
  jest.spyOn(clock, 'now').mockReturnValue((first + count) * 1000);
  const entries = Array.from({ length: count }, (_, n) =>
    entryText({ type: 'conversation.updated', id, version: n, at: first + n }),
  );
  await feedWriter()(inbox, entries);
}

const inboxOf = (name: string): Inbox => ({ kind: 'contact', id: name });

test.each([1, 2, 3])('A page of a hundred is one call for each of %i feeds', async (count) => {
  const inboxes = Array.from({ length: count }, (_, n) => inboxOf(`page-${count}-${n}`));
  for (const inbox of inboxes) await happens(inbox, 110);
  resetUsage();
  const { entries, more } = await readFeeds(inboxes, undefined, 100);
  expect([entries.length, more, usage.table_calls]).toEqual([100, true, count]);
});

test('What has expired in one feed keeps nothing from being read behind it, or in another', async () => {
  const [one, other] = [inboxOf('expired'), inboxOf('fresh')];
  await happens(one, 300);
  const late = start + 20 * day;
  await happens(one, 20, late);
  await happens(other, 20, late);
  jest.spyOn(clock, 'now').mockReturnValue((start + 32 * day) * 1000);

  const { entries, more } = await readFeeds([one, other], undefined, 100);
  const versions = (inbox: Inbox) =>
    entries.filter((placed) => placed.inbox === inbox).map(({ entry }) => entry.at - late);
  const twenty = Array.from({ length: 20 }, (_, n) => n);
  expect(versions(one).filter((after) => after >= 0)).toEqual(twenty);
  expect(versions(other)).toEqual(twenty);
  expect(more).toBe(false);
});
