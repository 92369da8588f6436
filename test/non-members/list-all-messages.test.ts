import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { toMessageId } from '../../shared/ids.ts';
import { usage } from '../../shared/log/usage.ts';
import { create } from '../support/handlers/api-calls.ts';
import { listAcross } from '../support/handlers/list-across.ts';
import { person } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import {
  type NonMemberConversation,
  seedNonMemberConversations,
} from '../support/seeds/seed-non-member-conversations.ts';
import '../support/setup/use-table.ts';
import { takeSample } from '../support/setup/sample-size.ts';

const minute = 60_000;
const start = clock.now() - 300 * minute;
const at = (minutes: number) => start + minutes * minute;
/**
 * Number of messages that the friend sends, one per minute. The cursor is at the fiftieth message.
 */
const messages = 100;
const cursorAt = 50;

interface Case {
  title: string;
  count: number;
  toConversation: (n: number) => NonMemberConversation;
  /** Maximum number of calls for each list. */
  calls: { older: number; newer: number; newest: number };
  isFriendNewest: boolean;
}

const membershipCalls = 1;

/**
 * Maximum numbers of calls: one per inbox (two with a cursor), plus the reads of the friend's
 * messages. Reading an inbox with thousands of entries takes one more call per
 * megabyte.
 */
const callsWithoutStrangers = { older: 9, newer: 8, newest: 5 };

const cases: Case[] = [
  {
    title: 'have later created thousands of conversations without messages',
    count: 5000,
    toConversation: (n) => ({ opened: at(130) + n }),
    calls: { ...callsWithoutStrangers, newest: 20 },
    isFriendNewest: true,
  },
  {
    title: 'have later created thousands of conversations with one message each',
    count: 5000,
    toConversation: (n) => ({ opened: at(130) + n, sent: [at(140) + n] }),
    calls: { ...callsWithoutStrangers, newest: 30 },
    isFriendNewest: false,
  },
  {
    title: 'have later created thousands of conversations and deleted their messages',
    count: 5000,
    toConversation: (n) => ({ opened: at(130) + n, sent: [at(140) + n], deleted: true }),
    // Each conversation takes one read. Each call makes a hundred reads.
    calls: { ...callsWithoutStrangers, newest: 100 },
    isFriendNewest: true,
  },
  {
    title: 'have created hundreds of conversations before the cursor and written in them later',
    count: 600,
    toConversation: (n) => ({ opened: at(10) + n, sent: [at(130) + n] }),
    calls: { ...callsWithoutStrangers, newest: 30 },
    isFriendNewest: false,
  },
  {
    title: 'have written in hundreds of conversations before and after the cursor',
    count: 600,
    toConversation: (n) => ({
      opened: at(0) + n,
      sent: [1, 2, 3, 4, 61, 130, 140].map((m) => at(m) + n),
    }),
    // Each conversation takes three reads.
    calls: { older: 30, newer: 30, newest: 30 },
    isFriendNewest: false,
  },
  {
    title:
      'have created hundreds of conversations right after the cursor and written in them later',
    count: 600,
    toConversation: (n) => ({ opened: at(50) + n + 1, sent: [at(130) + n, at(131) + n] }),
    calls: { ...callsWithoutStrangers, newer: 40, newest: 30 },
    isFriendNewest: false,
  },
  {
    title:
      'have sent and deleted messages in hundreds of conversations before and after the cursor',
    count: 600,
    toConversation: (n) => ({
      opened: at(20) + n,
      sent: [21, 22, 130].map((m) => at(m) + n),
      deleted: true,
    }),
    calls: { older: 30, newer: 50, newest: 60 },
    isFriendNewest: true,
  },
];

describe.each(takeSample(cases.toReversed(), cases.length))(
  'A friend’s messages, if strangers $title,',
  ({ title, count, toConversation, calls, isFriendNewest }) => {
    const slug = title.replaceAll(/\W/g, '-');
    const friend = person(`friend-${slug}`);
    const reader = person(`reader-${slug}`);
    let cursor = '';

    beforeAll(async () => {
      const { id } = await create(friend, { contact_id: reader.id });
      await seedMessages(id, friend.id, messages, at);
      cursor = toMessageId({ conversationId: id, sequence: cursorAt, sentAt: at(cursorAt) });
      await seedNonMemberConversations(reader.id, count, toConversation);
      // Caches the contacts.
      await listAcross(reader);
      await listAcross(reader, { starting_after: cursor });
    });

    const getFriendMessages = ({ data }: Awaited<ReturnType<typeof listAcross>>) =>
      data
        .filter(({ contact }) => contact.id === friend.id)
        .map(({ message }) => parseInt(message, 10));
    const tenBelow = (sequence: number) => Array.from({ length: 10 }, (_, n) => sequence - 1 - n);

    test('are listed after an old cursor, with a limited number of table calls', async () => {
      const page = await listAcross(reader, { starting_after: cursor });
      const { table_calls } = usage;
      expect(page.has_more).toBe(true);
      expect(getFriendMessages({ ...page, data: page.data.slice(0, 1) })).toEqual([cursorAt - 1]);
      if (count > 600 || isFriendNewest)
        expect(getFriendMessages(page)).toEqual(tenBelow(cursorAt));
      expect(table_calls).toBeLessThanOrEqual(membershipCalls + calls.older);
    });

    test('are listed before an old cursor, with a limited number of table calls', async () => {
      const page = await listAcross(reader, { ending_before: cursor });
      const { table_calls } = usage;
      expect(getFriendMessages(page)).toEqual(tenBelow(cursorAt + 11));
      expect(table_calls).toBeLessThanOrEqual(membershipCalls + calls.newer);
    });

    test('are on the newest page, unless newer messages from the strangers fill the page', async () => {
      const page = await listAcross(reader);
      const { table_calls } = usage;
      expect(page.data).toHaveLength(10);
      expect(getFriendMessages(page)).toEqual(isFriendNewest ? tenBelow(messages + 1) : []);
      expect(table_calls).toBeLessThanOrEqual(membershipCalls + calls.newest);
    });
  },
);
