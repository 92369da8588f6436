import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { deleteMany, sendTexts } from '../../support/seed-history.ts';
import { type SeededConversation, seedConversation } from '../../support/seeded-conversation.ts';

/**
 * A reader reads the tombstone of a deletion in progress and at most 16 tombstones created since
 * the last scan, because every 16th deletion scans. The reader also skips a range (one call, one
 * unit), or reads up to 64 tombstones if they are too few to skip. Therefore, a page of ten
 * messages can span 74 sequence numbers, with twelve of them per read unit.
 */
const recentDeletionsCost = { calls: 2, units: 8 };

const deletedTexts = ['gone 1', 'gone 2', 'gone 3', 'gone 4'];

/**
 * The reader marks four new messages as read and stores an opening. It finds four sends in
 * progress, waits, reads again and fills their gaps. The tombstones cost two more pages and one
 * skipped range, about 10 units in total.
 */
const deletedMessagesCost = { calls: 4 + 1 + 1 + 4 + 3, units: 4 + 1 + 2 + 4 + 10 };

export const concurrentDeletions = [
  scenario<SeededConversation>({
    title: 'A member deletes 1,000 messages while another member lists messages',
    quiet: (abuse) => seedConversation(abuse),
    abused: async (abuse) => {
      // The messages after the first five are seeded here and deleted during the scenario.
      const seeded = await seedConversation(abuse, {
        deleted: abuse.scale(1000),
        retainOneIn: 1,
      });
      seeded.deleted = seeded.messages.splice(5).map(({ id }) => id);
      return seeded;
    },
    extraCost: recentDeletionsCost,
    hostileAction: async ({ ann, deleted }) => {
      for (const id of deleted.splice(-10).reverse()) await deleteMany(ann, [id]);
    },
    honestCalls: ({ id, bob, messages: [first] }) => [
      honestCall('list ten messages', bob, listMessages, { query: { conversation_id: id } }),
      honestCall('poll for messages since the first', bob, listMessages, {
        query: { conversation_id: id, ending_before: first?.id ?? '' },
      }),
      honestCall('list messages across conversations', bob, listMessages, {}),
    ],
    checkAfterwards: async (seeded) => {
      await deleteMany(seeded.ann, seeded.deleted);
    },
  }),
  scenario<SeededConversation>({
    title: 'A member continuously sends and deletes messages',
    quiet: (abuse) => seedConversation(abuse),
    beforeRound: ({ ann, id }) => sendTexts(ann, id, deletedTexts),
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ ann, id }) => {
      const ids = await Promise.all(deletedTexts.map((text) => sendTexts(ann, id, [text])));
      await deleteMany(ann, ids.flat());
    },
    extraCost: deletedMessagesCost,
    honestCalls: (seeded) => readCallsWithoutDeleted(seeded),
  }),
];
/** Returns calls whose replies may omit only messages that are being created or deleted. */
function readCallsWithoutDeleted({ id, bob, messages }: SeededConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const first = messages[0]?.id ?? '';
  const retained = (data: { message: string }[]) =>
    data.map(({ message }) => message).filter((text) => !text.startsWith('gone'));
  return [
    honestCall(
      'poll for messages since the first',
      bob,
      listMessages,
      { query: { conversation_id: id, ending_before: first, limit: '100' } },
      ({ data }) => {
        expect(retained(data)).toEqual(texts.slice(1).reverse());
      },
    ),
    honestCall(
      'list 100 messages',
      bob,
      listMessages,
      { query: { conversation_id: id, limit: '100' } },
      ({ data }) => {
        expect(retained(data)).toEqual(texts.toReversed());
      },
    ),
    honestCall(
      'list messages across conversations',
      bob,
      listMessages,
      { query: { limit: '100' } },
      ({ data }) => {
        expect(retained(data)).toEqual(texts.toReversed());
      },
    ),
  ];
}
