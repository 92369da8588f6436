import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  readInbox,
  readInboxSince,
} from '../../../../../shared/table/conversations/query/read-inbox.ts';
import { contactInboxPartition, toActivitySortKey } from '../../../../../shared/table/keys/keys.ts';
import { seedConversations } from '../../../../support/seeds/seed-conversations.ts';
import { interceptCalls } from '../../../../support/table/call-hooks.ts';
import '../../../../support/setup/use-table.ts';

describe('An inbox', () => {
  const inbox = { index: 'gsi1', partition: contactInboxPartition('ann') } as const;
  /** Conversation ids, in ascending order of last activity. */
  let ids: string[];
  let sixth: string;
  beforeAll(async () => {
    const times = [1, 2, 3, 4, 5, 6, 7];
    ids = await seedConversations(
      times.map((time) => ({ created_by: 'ann', contact_id: 'bob', created_at: time })),
    );
    sixth = toActivitySortKey(6, ids[5] ?? '');
  });
  const conversations = (entries: { id: string }[]) => entries.map(({ id }) => ids.indexOf(id) + 1);

  test.each<[string, number, number[], boolean]>([
    ['a page of three', 3, [7, 6, 5], true],
    ['the whole inbox', 8, [7, 6, 5, 4, 3, 2, 1], false],
  ])('is read in descending order of last activity: %s', async (_, limit, found, more) => {
    const page = await readInbox(inbox, { before: undefined, limit });
    expect([conversations(page.entries), page.hasMore]).toEqual([found, more]);
  });

  test('is read in descending order from an activity time, excluding the conversation at that time', async () => {
    const { entries, hasMore } = await readInbox(inbox, { before: sixth, limit: 2 });
    expect([conversations(entries), hasMore]).toEqual([[5, 4], true]);
  });

  test('is read in descending order over several pages, down to and including the conversation with a given activity time', async () => {
    interceptCalls(async ({ input }, proceed) => {
      Object.assign(input, { Limit: 2 });
      await proceed();
    });
    const counts: number[] = [];
    const since = toActivitySortKey(3, ids[2] ?? '');
    const entries = await readInboxSince(inbox, since, (count) => counts.push(count));
    expect(conversations(entries)).toEqual([7, 6, 5, 4, 3]);
    expect(counts).toEqual([2, 2, 1]);
  });

  test('is not read further after the `count` callback throws', async () => {
    interceptCalls(async ({ input }, proceed) => {
      Object.assign(input, { Limit: 2 });
      await proceed();
    });
    let total = 0;
    const reading = readInboxSince(inbox, toActivitySortKey(1, ''), (count) => {
      total += count;
      if (total > 3) throw new Error('enough');
    });
    await expect(reading).rejects.toThrow('enough');
    expect(total).toBe(4);
  });
});
