import { expect } from '@jest/globals';
import { listMessages } from '../../../shared/contract/operations.ts';
import { type Talk, talk } from '../support/conversation.ts';
import { deleteMany, say } from '../support/history.ts';
import { call, type HonestCall } from '../support/honest.ts';
import { scenario } from '../support/story.ts';

/**
 * What was deleted since somebody last looked around is read marker by marker: these are sixteen at most, as of sixteen
 * deletions one looks, and one more that is under way. They lie behind a leap, which is a call and a unit, or behind up to
 * 64 that are not worth one; and on a page of 74 places, which may have messages for the rest, twelve a unit.
 */
const sinceTheLastLook = { calls: 2, units: 8 };

const fleeting = ['gone 1', 'gone 2', 'gone 3', 'gone 4'];

/**
 * Four of them are new to whoever reads, and marked, as is the opening; four are on their way, which are waited for and
 * then given up; and the markers of those that are gone are two pages more, and a leap, of some 10 units.
 */
const fleetingOnes = { calls: 4 + 1 + 1 + 4 + 3, units: 4 + 1 + 2 + 4 + 10 };

export const deletingNow = [
  scenario<Talk>({
    title: 'Somebody deletes a thousand messages while others read',
    quiet: (abuse) => talk(abuse),
    abused: async (abuse) => {
      // All of them are above the five, and still there when the story begins.
      const sequence = await talk(abuse, { deleted: abuse.many(1000), leftOneOf: 1 });
      sequence.deleted = sequence.messages.splice(5).map(({ id }) => id);
      return sequence;
    },
    besides: sinceTheLastLook,
    meanwhile: async ({ ann, deleted }) => {
      for (const id of deleted.splice(-10).reverse()) await deleteMany(ann, [id]);
    },
    honest: ({ id, bob, messages: [first] }) => [
      call('list ten', bob, listMessages, { query: { conversation_id: id } }),
      call('poll for what has come since the first', bob, listMessages, {
        query: { conversation_id: id, ending_before: first?.id ?? '' },
      }),
      call('list across conversations', bob, listMessages, {}),
    ],
    moreover: async (sequence) => {
      await deleteMany(sequence.ann, sequence.deleted);
    },
  }),
  scenario<Talk>({
    title: 'Somebody sends and deletes without a pause',
    quiet: (abuse) => talk(abuse),
    usually: ({ ann, id }) => say(ann, id, fleeting),
    abused: (abuse) => talk(abuse),
    meanwhile: async ({ ann, id }) => {
      const ids = await Promise.all(fleeting.map((text) => say(ann, id, [text])));
      await deleteMany(ann, ids.flat());
    },
    besides: fleetingOnes,
    honest: (sequence) => withoutFleeting(sequence),
  }),
];
/** Of those that come and go some may be there: all others have to be. */
function withoutFleeting({ id, bob, messages }: Talk): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const first = messages[0]?.id ?? '';
  const kept = (data: { message: string }[]) =>
    data.map(({ message }) => message).filter((text) => !text.startsWith('gone'));
  return [
    call(
      'poll for what has come since the first',
      bob,
      listMessages,
      { query: { conversation_id: id, ending_before: first, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.slice(1).reverse());
      },
    ),
    call(
      'list a hundred',
      bob,
      listMessages,
      { query: { conversation_id: id, limit: '100' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
    call(
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
