import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Budget, budgets } from '../../commands/cost/budgets.ts';
import { clock } from '../../shared/clock.ts';
import { toMessageId } from '../../shared/ids.ts';
import { usage } from '../../shared/log/usage.ts';
import { create, list } from '../support/handlers/api-calls.ts';
import { conversationsReadBy, listAcross } from '../support/handlers/list-across.ts';
import { person } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import { seedNonMemberConversations } from '../support/seeds/seed-non-member-conversations.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import '../support/setup/use-table.ts';

const now = clock.now();
const minute = 60_000;

const { acrossOne, acrossTen } = budgets['messages/list'];
const numbersOf = ({ calls, reads, writes }: Budget) => [calls, reads, writes];

/**
 * Returns the cost of a list request: numbers of calls, read units, write units, and conversations
 * whose messages it reads.
 */
async function costOf(call: () => Promise<unknown>) {
  const opened = await conversationsReadBy(call);
  const { table_calls, read_units, write_units } = usage;
  return [table_calls, read_units, write_units, opened.length];
}

describe.each(selectSize([10], [10, 10_000]))(
  'A list across a hundred conversations, one of them with %i messages, has the expected cost:',
  (count) => {
    const ann = person(`ann${count}`);
    const reader = person(`reader${count}`);
    let busy: string;
    let newest: string;
    let middle: string;
    let idle: string;

    beforeAll(async () => {
      const sentBefore = async (minutes: number) => {
        const { id } = await create(ann, { contact_id: reader.id });
        await seedMessages(id, ann.id, 1, () => now - minutes * minute);
        return id;
      };
      const ids: string[] = [];
      for (let n = 0; n < 99; n++) ids.push(await sentBefore(5 + n));
      busy = (await create(ann, { contact_id: reader.id })).id;
      await seedMessages(busy, ann.id, count);
      const { data } = await list(reader, busy);
      newest = data[0]?.id ?? '';
      middle = data[4]?.id ?? '';
      idle = (await list(reader, ids[50] ?? '')).data[0]?.id ?? '';
    });

    test.each<[string, () => Record<string, string>, few: number[], many: number[]]>([
      ['the first ten', () => ({}), [7, 5.5, 0, 2], [...numbersOf(acrossOne), 1]],
      ['a hundred', () => ({ limit: '100' }), [102, 189.5, 0, 92], [5, 17.5, 0, 1]],
      ['older messages', () => ({ starting_after: middle }), [15, 15.5, 0, 7], [8, 4.5, 0, 1]],
      ['newer messages', () => ({ ending_before: middle }), [6, 3, 0, 1], [6, 3, 0, 1]],
      ['nothing new', () => ({ ending_before: newest }), [3, 0.5, 0, 0], [3, 0.5, 0, 0]],
      // About half of the conversations have activity after the cursor. The inbox entry of a
      // conversation with one message shows that no message is older than the cursor.
      [
        'older messages, far down the list',
        () => ({ starting_after: idle }),
        [21, 29, 0, 12],
        [21, 29.5, 0, 12],
      ],
      [
        'newer messages, far down the list',
        () => ({ ending_before: idle }),
        [16, 24.5, 0, 11],
        [16, 24.5, 0, 11],
      ],
    ])('%s', async (_, query, few, many) => {
      expect(await costOf(() => listAcross(reader, query()))).toEqual(count === 10 ? few : many);
    });
  },
);

describe.each(selectSize([10], [10, 10_000]))(
  'A list across ten alternating conversations with %i messages in total has the expected cost:',
  (count) => {
    const ann = person(`anna${count}`);
    const reader = person(`lector${count}`);
    let deep: string;

    beforeAll(async () => {
      const third = Math.ceil(count / 30);
      for (let n = 0; n < 10; n++) {
        const { id } = await create(ann, { contact_id: reader.id });
        const timeOf = (sequence: number) => now - 20 * minute + sequence * 10 + n;
        await seedMessages(id, ann.id, count / 10, timeOf);
        const position = { conversationId: id, sequence: third, sentAt: timeOf(third) };
        if (n === 5) deep = toMessageId(position);
      }
      await listAcross(reader);
    });

    test.each<[string, () => Record<string, string>, few: number[], many: number[]]>([
      ['the first ten', () => ({}), [15, 20.5, 0, 10], [...numbersOf(acrossTen), 10]],
      ['a hundred', () => ({ limit: '100' }), [15, 20.5, 0, 10], [15, 40.5, 0, 10]],
      ['older messages', () => ({ starting_after: deep }), [13, 13, 0, 6], [19, 29.5, 0, 10]],
      ['newer messages', () => ({ ending_before: deep }), [9, 8.5, 0, 4], [17, 29.5, 0, 10]],
    ])('%s', async (_, query, few, many) => {
      expect(await costOf(() => listAcross(reader, query()))).toEqual(count === 10 ? few : many);
    });
  },
);

test('Conversations without messages cost only the reads of their index entries', async () => {
  const [ann, reader] = [person('anke'), person('lena')];
  const { id } = await create(ann, { contact_id: reader.id });
  await seedMessages(id, ann.id, 1, () => now - minute);
  for (let n = 0; n < 20; n++) await create(ann, { contact_id: reader.id });
  await listAcross(reader);
  // Reads the memberships, two inboxes, the second page of one inbox, that inbox's changes since
  // its first page, the conversation, and its message.
  expect(await costOf(() => listAcross(reader))).toEqual([7, 3.5, 0, 1]);
});

test('A list across conversations reads the log once, in either direction, if there is only one conversation', async () => {
  const [ann, reader] = [person('antje'), person('lotte')];
  const { id } = await create(ann, { contact_id: reader.id });
  await seedMessages(id, ann.id, 60);
  const middle = (await list(reader, id, { limit: '30' })).data.at(-1)?.id ?? '';
  await listAcross(reader);
  expect(await costOf(() => listAcross(reader))).toEqual([5, 3.5, 0, 1]);
  // A list of older messages also reads each of the two inboxes for later activity, and probes the
  // log once.
  const older = () => listAcross(reader, { starting_after: middle });
  expect(await costOf(older)).toEqual([8, 4, 0, 1]);
  const newer = () => listAcross(reader, { ending_before: middle });
  expect(await costOf(newer)).toEqual([6, 4, 0, 1]);
});

describe('The limit of an inbox query', () => {
  async function limitsOf(action: () => Promise<unknown>): Promise<number[]> {
    const limits: number[] = [];
    const undo = interceptCalls(async ({ input }, proceed) => {
      if ('IndexName' in input && 'Limit' in input) limits.push(Number(input.Limit));
      await proceed();
    });
    await action();
    undo();
    return limits;
  }

  test('is the page size plus one or, for a large page from many inboxes, four times each inbox’s share of the page', async () => {
    const groups = Array.from({ length: 20 }, (_, n) => `team-${n}`);
    const [withoutGroups, inMany] = [person('solo'), person('solo', { groups })];
    const limit = '100';
    expect(await limitsOf(() => listAcross(withoutGroups, { limit }))).toEqual([101, 101]);
    // The list queries the reader's two inboxes and, because no head is known, all twenty groups.
    expect(await limitsOf(() => listAcross(inMany, { limit }))).toEqual(Array(22).fill(19));
    expect(await limitsOf(() => listAcross(inMany))).toEqual(Array(22).fill(11));
  });

  test('grows while the queried conversations contain no messages', async () => {
    const reader = person('paul');
    await seedNonMemberConversations(reader.id, 300, (n) => ({ opened: now - minute - n }));
    expect(await limitsOf(() => listAcross(reader))).toEqual([11, 11, 44, 176, 704]);
  });
});
