import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { deleteMany, sendTexts } from '../../support/plant-history.ts';
import { type PlantedConversation, plantConversation } from '../../support/planted-conversation.ts';
import { scenario } from '../../support/scenario.ts';

/**
 * What was deleted since somebody last looked around is read marker by marker: these are sixteen at most, as of sixteen
 * deletions one looks, and one more that is under way. They lie behind a leap, which is a call and a unit, or behind up to
 * 64 that are not worth one; and on a page of 74 places, which may have messages for the rest, twelve a unit.
 */
const recentDeletionsCost = { calls: 2, units: 8 };

const deletedTexts = ['gone 1', 'gone 2', 'gone 3', 'gone 4'];

/**
 * Four of them are new to whoever reads, and marked, as is the opening; four are on their way, which are waited for and
 * then given up; and the markers of those that are gone are two pages more, and a leap, of some 10 units.
 */
const deletedMessagesCost = { calls: 4 + 1 + 1 + 4 + 3, units: 4 + 1 + 2 + 4 + 10 };

export const concurrentDeletions = [
  scenario<PlantedConversation>({
    title: 'Somebody deletes a thousand messages while others read',
    quiet: (abuse) => plantConversation(abuse),
    abused: async (abuse) => {
      // All of them are above the five, and still there when the story begins.
      const sequence = await plantConversation(abuse, { deleted: abuse.scale(1000), leftOneOf: 1 });
      sequence.deleted = sequence.messages.splice(5).map(({ id }) => id);
      return sequence;
    },
    extraCost: recentDeletionsCost,
    hostileAction: async ({ ann, deleted }) => {
      for (const id of deleted.splice(-10).reverse()) await deleteMany(ann, [id]);
    },
    honestCalls: ({ id, bob, messages: [first] }) => [
      honestCall('list ten', bob, listMessages, { query: { conversation_id: id } }),
      honestCall('poll for what has come since the first', bob, listMessages, {
        query: { conversation_id: id, ending_before: first?.id ?? '' },
      }),
      honestCall('list across conversations', bob, listMessages, {}),
    ],
    afterwards: async (sequence) => {
      await deleteMany(sequence.ann, sequence.deleted);
    },
  }),
  scenario<PlantedConversation>({
    title: 'Somebody sends and deletes without a pause',
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
/** Of those that come and go some may be there: all others have to be. */
function readCallsWithoutDeleted({ id, bob, messages }: PlantedConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const first = messages[0]?.id ?? '';
  const kept = (data: { message: string }[]) =>
    data.map(({ message }) => message).filter((text) => !text.startsWith('gone'));
  return [
    honestCall(
      'poll for what has come since the first',
      bob,
      listMessages,
      { query: { conversation_id: id, ending_before: first, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.slice(1).reverse());
      },
    ),
    honestCall(
      'list a hundred',
      bob,
      listMessages,
      { query: { conversation_id: id, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
    honestCall(
      'list across conversations',
      bob,
      listMessages,
      { query: { limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
  ];
}
