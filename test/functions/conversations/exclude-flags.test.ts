import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listConversations } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { changeConversation, create, getConversations } from '../../support/handlers/api-calls.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { seedConversations, seedManyFlags } from '../../support/seeds/seed-conversations.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import '../../support/setup/use-table.ts';

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const unarchived = { 'exclude[]': 'archived' };

/**
 * Maximum table calls and read units of a list, by number of archived conversations. A query
 * returns at most 1 MB, and a read of settings returns at most 100 items.
 */
const archived = [
  { count: 10, calls: 6, reads: 8 },
  { count: 1000, calls: 22, reads: 171 },
  { count: 10_000, calls: 26, reads: 641 },
];

describe.each(selectSize(archived.slice(0, 2), archived))(
  'A list in which $count archived conversations precede the first unarchived conversation',
  ({ count, calls, reads }) => {
    const tessa = person(`tessa-${count}`, { groups: [`team-${count}`] });
    /** Conversation ids, starting with the most recently active conversation. */
    let unarchivedIds: string[];

    beforeAll(async () => {
      const start = clock.now() - 2_000_000;
      const inboxes = [
        { created_by: tessa.id, contact_id: 'bob' },
        { created_by: 'bob', contact_id: tessa.id },
        { created_by: 'bob', group_id: `team-${count}` },
      ];
      const seeds = Array.from({ length: count + 12 }, (_, n) => ({
        created_by: 'bob',
        ...inboxes[n % 3],
        created_at: start + n,
      }));
      const ids = await seedConversations(seeds);
      unarchivedIds = ids.slice(0, 12).toReversed();
      await seedManyFlags(tessa.id, ids.slice(12), { archived_at: 5 });
    }, 300_000);

    test('excludes the archived conversations and fills the page within the limits on table calls and read units', async () => {
      const page = await getConversations(tessa, unarchived);
      const { table_calls, read_units } = usage;
      expect(idsOf(page)).toEqual(unarchivedIds.slice(0, 10));
      expect(page.has_more).toBe(true);
      expect(page.data.map(({ archived_at }) => archived_at)).toEqual(Array(10).fill(null));
      expect(table_calls).toBeLessThanOrEqual(calls);
      expect(read_units).toBeLessThanOrEqual(reads);
    });

    test('makes at most three more calls if pinned and muted conversations are also excluded', async () => {
      const query = { 'exclude[]': ['archived', 'pinned', 'muted'] };
      expect(idsOf(await getConversations(tessa, query))).toEqual(unarchivedIds.slice(0, 10));
      // Seven sets of flags are queried instead of four.
      expect(usage.table_calls).toBeLessThanOrEqual(calls + 3);
    });
  },
);

describe('The exclude parameter', () => {
  let someone: Caller;
  let ids: string[];
  beforeAll(async () => {
    someone = person('una');
    ids = [];
    for (let n = 0; n < 4; n++) ids.unshift((await create(someone, { contact_id: 'bob' })).id);
    await changeConversation(someone, ids[1] ?? '', { is_muted: true, is_pinned: true });
    await changeConversation(someone, ids[2] ?? '', { archived_at: 5 });
  });
  const at = (...sequences: number[]) => sequences.map((sequence) => ids[sequence]);

  test.each<[string, Record<string, string | string[]>, number[]]>([
    ['one value', { exclude: 'archived' }, [0, 1, 3]],
    ['one value in brackets', { 'exclude[]': 'muted' }, [0, 2, 3]],
    ['several values', { 'exclude[]': ['archived', 'pinned'] }, [0, 3]],
    ['a value twice', { 'exclude[]': ['pinned', 'pinned'] }, [0, 2, 3]],
    ['an empty value', { 'exclude[]': '' }, [0, 1, 2, 3]],
    ['a flag other than the requested flag', { muted: 'true', 'exclude[]': 'archived' }, [1]],
    ['one of two flags of a requested conversation', { muted: 'true', 'exclude[]': 'pinned' }, []],
    ['a flag whose filter is false', { archived: 'false', 'exclude[]': 'archived' }, [0, 1, 3]],
  ])('omits conversations with the excluded flags: %s', async (_, query, sequences) => {
    expect(idsOf(await getConversations(someone, query))).toEqual(at(...sequences));
  });

  test('applies only to the caller’s current flags', async () => {
    const [, , archived = ''] = ids;
    expect(idsOf(await getConversations(person('bob'), unarchived))).toContain(archived);
    await changeConversation(someone, archived, { archived_at: null });
    expect(idsOf(await getConversations(someone, unarchived))).toEqual(ids);
    await changeConversation(someone, archived, { archived_at: 5 });
    expect(idsOf(await getConversations(someone, unarchived))).toEqual(at(0, 1, 3));
  });

  test('allows an excluded conversation as a cursor', async () => {
    const query = { ...unarchived, starting_after: ids[2] ?? '' };
    expect(idsOf(await getConversations(someone, query))).toEqual(at(3));
  });

  test('must not contain a flag that another parameter requests', async () => {
    const query = { pinned: 'true', archived: 'true', 'exclude[]': ['muted', 'archived'] };
    expect(await refused(listConversations, { as: someone, query })).toEqual(
      invalidError('exclude', 'must not contain archived together with archived=true'),
    );
  });
});
