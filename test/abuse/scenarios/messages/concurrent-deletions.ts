import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { deleteMany, sendTexts } from '../../support/plant-history.ts';
import { type PlantedConversation, plantConversation } from '../../support/planted-conversation.ts';
import { scenario } from '../../support/scenario.ts';

/**
 * A reader reads the tombstone of a deletion in progress and the tombstones created since the last
 * scan: at most 16, because every 16th deletion scans. It also skips a range (one call, one unit)
 * or reads up to 64 tombstones, which are too few to skip. Therefore, a page of ten messages can
 * span 74 sequence numbers, at twelve per unit.
 */
const recentDeletionsCost = { calls: 2, units: 8 };

const deletedTexts = ['gone 1', 'gone 2', 'gone 3', 'gone 4'];

/**
 * The reader marks four new messages as read and stores when it opened the conversation. It finds
 * four sends in progress, so it reads again after a wait, then fills their four gaps. The
 * tombstones cost two more pages and one skipped range, about 10 units in total.
 */
const deletedMessagesCost = { calls: 4 + 1 + 1 + 4 + 3, units: 4 + 1 + 2 + 4 + 10 };

export const concurrentDeletions = [
  scenario<PlantedConversation>({
    title: 'A member deletes 1,000 messages while another member lists messages',
    quiet: (abuse) => plantConversation(abuse),
    abused: async (abuse) => {
      // The messages to delete follow the first five, and exist when the scenario begins.
      const sequence = await plantConversation(abuse, { deleted: abuse.scale(1000), leftOneOf: 1 });
      sequence.deleted = sequence.messages.splice(5).map(({ id }) => id);
      return sequence;
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
    afterwards: async (sequence) => {
      await deleteMany(sequence.ann, sequence.deleted);
    },
  }),
  scenario<PlantedConversation>({
    title: 'A member continuously sends and deletes messages',
    quiet: (abuse) => plantConversation(abuse),
    beforeRound: ({ ann, id }) => sendTexts(ann, id, deletedTexts),
    abused: (abuse) => plantConversation(abuse),
    hostileAction: async ({ ann, id }) => {
      const ids = await Promise.all(deletedTexts.map((text) => sendTexts(ann, id, [text])));
      await deleteMany(ann, ids.flat());
    },
    extraCost: deletedMessagesCost,
    honestCalls: (sequence) => readCallsWithoutDeleted(sequence),
  }),
];
/** Returns Bob's reads. Replies may omit only messages that are being created or deleted. */
function readCallsWithoutDeleted({ id, bob, messages }: PlantedConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const first = messages[0]?.id ?? '';
  const kept = (data: { message: string }[]) =>
    data.map(({ message }) => message).filter((text) => !text.startsWith('gone'));
  return [
    honestCall(
      'poll for messages since the first',
      bob,
      listMessages,
      { query: { conversation_id: id, ending_before: first, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.slice(1).reverse());
      },
    ),
    honestCall(
      'list 100 messages',
      bob,
      listMessages,
      { query: { conversation_id: id, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
    honestCall(
      'list messages across conversations',
      bob,
      listMessages,
      { query: { limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
  ];
}
