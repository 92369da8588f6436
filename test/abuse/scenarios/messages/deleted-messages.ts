import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { firstReadCost } from '../../support/cost-figures.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import {
  oldDeletions,
  readCalls,
  type SeededConversation,
  seedConversation,
  sendCalls,
} from '../../support/seeded-conversation.ts';

/** Returns calls that list the messages older or newer than a deleted message. */
function readCallsInside({ id, bob, messages, deleted }: SeededConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const toId = (position: number) =>
    deleted[Math.floor(position * (deleted.length - 1))] ?? messages.at(-1)?.id ?? '';
  return [0.01, 0.5, 0.99].flatMap((position) => {
    const at = `from ${position * 100} % of the deleted messages`;
    const olderThan = messages.filter((one) => one.id < toId(position)).map(({ text }) => text);
    const newerThan = texts
      .slice(olderThan.length)
      .filter((_, n) => messages[olderThan.length + n]?.id !== toId(position));
    return [
      honestCall(
        `list older messages ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, starting_after: toId(position) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(olderThan.slice(-10).reverse());
        },
      ),
      honestCall(
        `poll ${at}`,
        bob,
        listMessages,
        { query: { conversation_id: id, ending_before: toId(position) } },
        ({ data }) => {
          expect(data.map(({ message }) => message)).toEqual(newerThan.slice(0, 10).reverse());
        },
      ),
    ];
  });
}

/**
 * Listing ten messages skips a range (one call, one unit) for each message. Until the 1,000
 * tombstones are compacted, each reader also writes 20 range bounds and removes 25 tombstones.
 */
const tombstoneRangeCost = { calls: 10 + 20 + 1, units: 10 + 20 + 25 };

export const deletedMessages = [
  scenario<SeededConversation>({
    title: 'A member has deleted 1,000 messages',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse, { deleted: abuse.scale(1000) }),
    honestCalls: (seeded) => [
      ...readCalls(seeded),
      ...readCallsInside(seeded),
      ...sendCalls(seeded),
    ],
  }),
  scenario<SeededConversation>({
    title:
      '1,000 messages were deleted in random order a day ago, and their expired items were removed',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse, oldDeletions(abuse)),
    // Deletions in random order leave incomplete range bounds. A reader that starts inside the
    // range reads all tombstones once, up to 1,000 per call.
    oneTimeCost: (abuse) => ({
      calls: firstReadCost.calls + abuse.scale(1000) / 500,
      units: firstReadCost.units + abuse.scale(1000) / 29,
    }),
    honestCalls: (seeded) => [
      ...readCalls(seeded),
      ...readCallsInside(seeded),
      ...sendCalls(seeded),
    ],
  }),
  scenario<SeededConversation>({
    title: 'A member has deleted 99 of every 100 messages',
    quiet: (abuse) => seedConversation(abuse, { deleted: abuse.scale(10), retainOneIn: 1 }),
    abused: (abuse) => seedConversation(abuse, { deleted: abuse.scale(1000), retainOneIn: 100 }),
    extraCost: tombstoneRangeCost,
    honestCalls: (seeded) => [...readCalls(seeded), ...sendCalls(seeded)],
  }),
];
