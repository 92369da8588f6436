import { expect } from '@jest/globals';
import { listMessages } from '../../../shared/contract/operations.ts';
import { answering, reading, type Talk, talk } from '../support/conversation.ts';
import { type DeletionOrder, deleteMany, say } from '../support/history.ts';
import { call, type HonestCall } from '../support/honest.ts';
import { story } from '../support/story.ts';

const orders: DeletionOrder[] = ['the oldest first', 'in a muddle'];

/** Bob had been shown messages that are gone by now, and goes on from there. */
function goingOnInside({ id, bob, messages, deleted }: Talk): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const place = (share: number) =>
    deleted[Math.floor(share * (deleted.length - 1))] ?? messages.at(-1)?.id ?? '';
  return [0.01, 0.5, 0.99].flatMap((share) => {
    const at = `from ${share * 100} % of the deleted ones`;
    const olderThan = messages.filter((one) => one.id < place(share)).map(({ text }) => text);
    const newerThan = texts
      .slice(olderThan.length)
      .filter((_, n) => messages[olderThan.length + n]?.id !== place(share));
    return [
      call(
        `go back ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, starting_after: place(share) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(olderThan.slice(-10).reverse());
        },
      ),
      call(
        `poll ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, ending_before: place(share) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(newerThan.slice(0, 10).reverse());
        },
      ),
    ];
  });
}

export const deletedInFront = [
  ...orders.map((order) =>
    story<Talk>({
      title: `Somebody has deleted a thousand messages, ${order}: these are in nobody’s way`,
      quiet: (siege) => talk(siege),
      besieged: (siege) => talk(siege, { deleted: siege.many(1000), order }),
      honest: (place) => [...reading(place), ...goingOnInside(place), ...answering(place)],
    }),
  ),
  story<Talk>({
    title: 'A thousand messages were deleted hours ago, and what expires of them is gone',
    quiet: (siege) => talk(siege),
    besieged: (siege) =>
      talk(siege, { deleted: siege.many(1000), order: 'in a muddle', hours: 26, expired: true }),
    honest: (place) => [...reading(place), ...goingOnInside(place), ...answering(place)],
  }),
  story<Talk>({
    title: 'Of each hundred messages ninety-nine were deleted',
    quiet: (siege) => talk(siege, { deleted: siege.many(10), leftOneOf: 1 }),
    besieged: (siege) => talk(siege, { deleted: siege.many(1000), leftOneOf: 100 }),
    honest: (place) => [...reading(place), ...answering(place)],
  }),
  story<Talk>({
    title: 'Somebody deletes a thousand messages while others read',
    quiet: (siege) => talk(siege),
    besieged: async (siege) => {
      // All of them are above the five, and still there when the story begins.
      const place = await talk(siege, { deleted: siege.many(1000), leftOneOf: 1 });
      place.deleted = place.messages.splice(5).map(({ id }) => id);
      return place;
    },
    meanwhile: async ({ ann, deleted }) => deleteMany(ann, deleted.splice(-10)),
    honest: ({ id, bob, messages: [first] }) => [
      call('list ten', bob, listMessages, { query: { conversation_id: id } }),
      call('poll for what has come since the first', bob, listMessages, {
        query: { conversation_id: id, ending_before: first?.id ?? '' },
      }),
      call('list across conversations', bob, listMessages, {}),
    ],
    moreover: async (place) => {
      await deleteMany(place.ann, place.deleted);
    },
  }),
  story<Talk>({
    title: 'Somebody sends and deletes without a pause',
    quiet: (siege) => talk(siege),
    besieged: (siege) => talk(siege),
    meanwhile: async ({ ann, id }) => {
      const ids = await Promise.all([1, 2, 3, 4].map(async (n) => say(ann, id, [`gone ${n}`])));
      await deleteMany(ann, ids.flat());
    },
    honest: (place) => withoutFleeting(place),
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
      'list twenty',
      bob,
      listMessages,
      { query: { conversation_id: id, limit: '20' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.toReversed());
      },
    ),
    call(
      'poll for what has come since the first',
      bob,
      listMessages,
      { query: { conversation_id: id, ending_before: first, limit: '20' } },
      ({ data }) => {
        expect(kept(data)).toEqual(texts.slice(1).reverse());
      },
    ),
    call('list across conversations', bob, listMessages, { query: { limit: '20' } }, ({ data }) => {
      expect(kept(data)).toEqual(texts.toReversed());
    }),
  ];
}
