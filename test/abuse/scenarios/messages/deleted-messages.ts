import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { firstReadCost } from '../../support/cost-figures.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import {
  oldDeletions,
  type PlantedConversation,
  plantConversation,
  readCalls,
  sendCalls,
} from '../../support/planted-conversation.ts';
import { scenario } from '../../support/scenario.ts';

/** Bob had been shown messages that are gone by now, and goes on from there. */
function readCallsInside({ id, bob, messages, deleted }: PlantedConversation): HonestCall[] {
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
      honestCall(
        `go back ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, starting_after: sequence(share) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(olderThan.slice(-10).reverse());
        },
      ),
      honestCall(
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
const tombstoneRangeCost = { calls: 10 + 20 + 1, units: 10 + 20 + 25 };

export const deletedMessages = [
  scenario<PlantedConversation>({
    title: 'Somebody has deleted a thousand messages: these are in nobody’s way',
    quiet: (abuse) => plantConversation(abuse),
    abused: (abuse) => plantConversation(abuse, { deleted: abuse.scale(1000) }),
    honestCalls: (sequence) => [
      ...readCalls(sequence),
      ...readCallsInside(sequence),
      ...sendCalls(sequence),
    ],
  }),
  scenario<PlantedConversation>({
    title:
      'A thousand messages were deleted in a muddle, long ago, and what expires of them is gone',
    quiet: (abuse) => plantConversation(abuse),
    abused: (abuse) => plantConversation(abuse, oldDeletions(abuse)),
    // In a muddle the ends do not tell: whoever begins inside reads all markers once, a thousand with each call.
    oneTimeCost: (abuse) => ({
      calls: firstReadCost.calls + abuse.scale(1000) / 500,
      units: firstReadCost.units + abuse.scale(1000) / 29,
    }),
    honestCalls: (sequence) => [
      ...readCalls(sequence),
      ...readCallsInside(sequence),
      ...sendCalls(sequence),
    ],
  }),
  scenario<PlantedConversation>({
    title: 'Of each hundred messages ninety-nine were deleted',
    quiet: (abuse) => plantConversation(abuse, { deleted: abuse.scale(10), leftOneOf: 1 }),
    abused: (abuse) => plantConversation(abuse, { deleted: abuse.scale(1000), leftOneOf: 100 }),
    extraCost: tombstoneRangeCost,
    honestCalls: (sequence) => [...readCalls(sequence), ...sendCalls(sequence)],
  }),
];
