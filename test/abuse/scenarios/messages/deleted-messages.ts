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

/** Returns calls in which Bob lists older and newer messages from the ids of deleted messages. */
function readCallsInside({ id, bob, messages, deleted }: PlantedConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const sequence = (share: number) =>
    deleted[Math.floor(share * (deleted.length - 1))] ?? messages.at(-1)?.id ?? '';
  return [0.01, 0.5, 0.99].flatMap((share) => {
    const at = `from ${share * 100} % of the deleted messages`;
    const olderThan = messages.filter((one) => one.id < sequence(share)).map(({ text }) => text);
    const newerThan = texts
      .slice(olderThan.length)
      .filter((_, n) => messages[olderThan.length + n]?.id !== sequence(share));
    return [
      honestCall(
        `list older messages ${at}`,
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
 * A list of ten messages skips a range (one call, one unit) for each message. Until the 1,000
 * tombstones are compacted, each reader also writes 20 range bounds and removes 25 tombstones.
 */
const tombstoneRangeCost = { calls: 10 + 20 + 1, units: 10 + 20 + 25 };

export const deletedMessages = [
  scenario<PlantedConversation>({
    title: 'A member has deleted 1,000 messages',
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
      '1,000 messages were deleted in random order a day ago, and their expired items were removed',
    quiet: (abuse) => plantConversation(abuse),
    abused: (abuse) => plantConversation(abuse, oldDeletions(abuse)),
    // Deletions in random order leave incomplete range bounds. A reader that starts inside the
    // range reads all tombstones once, up to 1,000 per call.
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
    title: 'A member has deleted 99 of every 100 messages',
    quiet: (abuse) => plantConversation(abuse, { deleted: abuse.scale(10), leftOneOf: 1 }),
    abused: (abuse) => plantConversation(abuse, { deleted: abuse.scale(1000), leftOneOf: 100 }),
    extraCost: tombstoneRangeCost,
    honestCalls: (sequence) => [...readCalls(sequence), ...sendCalls(sequence)],
  }),
];
