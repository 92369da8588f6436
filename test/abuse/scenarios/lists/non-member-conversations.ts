import { expect } from '@jest/globals';
import { listConversations, listMessages } from '../../../../shared/contract/operations.ts';
import {
  create,
  removeConversation,
  removeMessage,
  send,
} from '../../../support/handlers/api-calls.ts';
import type { AbuseRun } from '../../support/abuse-run.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { mapConcurrently } from '../../support/seed-history.ts';
import { type SeededConversation, seedConversation } from '../../support/seeded-conversation.ts';

/** Number of conversations in the baseline, slightly more than one page. */
const baselineCount = 12;

/**
 * Seeds a conversation between Ann and Bob, then `count` conversations between a stranger and
 * Bob. Calls `after` for each of the stranger's conversations.
 */
async function seedNonMemberConversations(
  abuse: AbuseRun,
  count: number,
  after: (id: string, by: Awaited<ReturnType<AbuseRun['createParticipant']>>) => Promise<unknown>,
): Promise<SeededConversation> {
  const seeded = await seedConversation(abuse, { hours: 1 });
  const mallory = await abuse.createParticipant('mallory');
  await mapConcurrently([...Array(count).keys()], async () => {
    const { id } = await create(mallory.caller, { contact_id: seeded.bob.id });
    await after(id, mallory);
  });
  return seeded;
}

const fromOldCursors = ({ bob, messages }: SeededConversation): HonestCall[] => {
  const texts = messages.map(({ text }) => text);
  const last = messages.at(-1)?.id ?? '';
  const middle = messages[2]?.id ?? '';
  return [
    honestCall(
      'list messages across conversations before an old message',
      bob,
      listMessages,
      { query: { starting_after: last } },
      ({ data }) => {
        expect(data.map(({ message }) => message)).toEqual(texts.slice(0, -1).reverse());
      },
    ),
    honestCall(
      'list two messages across conversations after an old message',
      bob,
      listMessages,
      { query: { ending_before: middle, limit: '2' } },
      ({ data }) => {
        expect(data.map(({ message }) => message)).toEqual(texts.slice(3, 5).reverse());
      },
    ),
    honestCall('list ten messages across conversations', bob, listMessages, {}),
    honestCall('list conversations', bob, listConversations, {}),
    honestCall(
      'list muted conversations',
      bob,
      listConversations,
      { query: { muted: 'true' } },
      ({ data }) => {
        expect(data).toEqual([]);
      },
    ),
  ];
};

const strangers = (
  title: string,
  after: Parameters<typeof seedNonMemberConversations>[2],
  maxUnits?: (abuse: AbuseRun) => number,
) =>
  scenario<SeededConversation>({
    title,
    quiet: (abuse) => seedNonMemberConversations(abuse, baselineCount, after),
    abused: (abuse) => seedNonMemberConversations(abuse, abuse.scale(200), after),
    honestCalls: fromOldCursors,
    ...(maxUnits !== undefined && { maxUnits }),
  });

/** Returns the maximum units if the service reads another index page at half a unit per 4 KB. */
const entriesRead = (abuse: AbuseRun) => 20 + abuse.scale(200) / 15;
/**
 * Returns the maximum units if the service also reads each conversation, because the index does not
 * show whether all messages are deleted.
 */
const maxEntryChecks = (abuse: AbuseRun) => 40 + abuse.scale(200) * 1.5;

export const nonMemberConversations = [
  strangers(
    'A stranger creates hundreds of conversations with a user and sends a message in each',
    (id, by) => send(by.caller, id, 'Buy this'),
    entriesRead,
  ),
  strangers(
    'A stranger creates hundreds of conversations with a user, and sends and deletes a message in each',
    async (id, by) => removeMessage(by.caller, (await send(by.caller, id, 'Buy this')).id),
    maxEntryChecks,
  ),
  strangers(
    'A stranger creates hundreds of conversations with a user without sending messages',
    async () => undefined,
    entriesRead,
  ),
  strangers(
    'A stranger creates hundreds of conversations with a user, sends a message in each and deletes them all',
    async (id, by) => {
      await send(by.caller, id, 'Buy this');
      await removeConversation(by.caller, id);
    },
  ),
];
