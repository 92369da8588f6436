import { expect } from '@jest/globals';
import { listMessages } from '../../../shared/contract/operations.ts';
import { answering, longAgo, reading, type Talk, talk } from '../support/conversation.ts';
import { firstComer } from '../support/figures.ts';
import { call, type HonestCall } from '../support/honest.ts';
import { scenario } from '../support/story.ts';

/** Bob had been shown messages that are gone by now, and goes on from there. */
function goingOnInside({ id, bob, messages, deleted }: Talk): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const sequence = (share: number) =>
    deleted[Math.floor(share * (deleted.length - 1))] ?? messages.at(-1)?.id ?? '';
  return [0.01, 0.5, 0.99].flatMap((share) => {
    const at = `from ${share * 100} % of the deleted ones`;
    const olderThan = messages.filter((one) => one.id < sequence(share)).map(({ text }) => text);
    const newerThan = texts
      .slice(olderThan.length)
      .filter((_, n) => messages[olderThan.length + n]?.id !== sequence(share));
    return [
      call(
        `go back ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, starting_after: sequence(share) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(olderThan.slice(-10).reverse());
        },
      ),
      call(
        `poll ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, ending_before: sequence(share) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(newerThan.slice(0, 10).reverse());
        },
      ),
    ];
  });
}

/**
 * A leap, which is a call and a unit, for each of ten messages that are given; and as long as there is something to tidy up
 * among the thousand markers between them, twenty notes and twenty-five removals, by each who reads.
 */
const leapsAndTidying = { calls: 10 + 20 + 1, units: 10 + 20 + 25 };

export const deletedInFront = [
  scenario<Talk>({
    title: 'Somebody has deleted a thousand messages: these are in nobody’s way',
    quiet: (abuse) => talk(abuse),
    abused: (abuse) => talk(abuse, { deleted: abuse.many(1000) }),
    honest: (sequence) => [
      ...reading(sequence),
      ...goingOnInside(sequence),
      ...answering(sequence),
    ],
  }),
  scenario<Talk>({
    title:
      'A thousand messages were deleted in a muddle, long ago, and what expires of them is gone',
    quiet: (abuse) => talk(abuse),
    abused: (abuse) => talk(abuse, longAgo(abuse)),
    // In a muddle the ends do not tell: whoever begins inside reads all markers once, a thousand with each call.
    once: (abuse) => ({
      calls: firstComer.calls + abuse.many(1000) / 500,
      units: firstComer.units + abuse.many(1000) / 29,
    }),
    honest: (sequence) => [
      ...reading(sequence),
      ...goingOnInside(sequence),
      ...answering(sequence),
    ],
  }),
  scenario<Talk>({
    title: 'Of each hundred messages ninety-nine were deleted',
    quiet: (abuse) => talk(abuse, { deleted: abuse.many(10), leftOneOf: 1 }),
    abused: (abuse) => talk(abuse, { deleted: abuse.many(1000), leftOneOf: 100 }),
    besides: leapsAndTidying,
    honest: (sequence) => [...reading(sequence), ...answering(sequence)],
  }),
];
