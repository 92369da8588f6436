import { expect } from '@jest/globals';
import {
  createBlock,
  createConversation,
  listBlocks,
  listConversations,
  listMessages,
  sendMessage,
} from '../../../../shared/contract/operations.ts';
import { block, create, send } from '../../../support/handlers/api-calls.ts';
import { refused } from '../../../support/handlers/invoke-handler.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { mapConcurrently } from '../../support/seed-history.ts';
import { seedConversation } from '../../support/seeded-conversation.ts';

/** Mallory created the conversations `ids` with Bob, who then blocked her. */
interface BlockedPair {
  bob: Participant;
  mallory: Participant;
  ids: string[];
}

/** Number of conversations in the baseline, slightly more than one page. */
const baselineCount = 12;
const large = (abuse: AbuseRun) => abuse.scale(200);

async function seedBlockedPair(abuse: AbuseRun, count: number): Promise<BlockedPair> {
  const { bob } = await seedConversation(abuse, { hours: 1 });
  const mallory = await abuse.createParticipant('mallory');
  const ids: string[] = [];
  await mapConcurrently([...Array(count).keys()], async () => {
    const { id } = await create(mallory.caller, { contact_id: bob.id });
    await send(mallory.caller, id, 'Buy this');
    ids.push(id);
  });
  await block(bob.caller, mallory.id);
  return { bob, mallory, ids };
}

const toAttempts = ({ bob, mallory: { caller: as }, ids }: BlockedPair) => [
  ...ids.map(
    (conversation_id) =>
      [sendMessage, { as, body: { conversation_id, message: 'Buy that' } }] as const,
  ),
  [createConversation, { as, body: { contact_id: bob.id } }] as const,
];

async function expectRefusals(pair: BlockedPair): Promise<void> {
  for (const [operation, call] of toAttempts(pair)) {
    expect(await refused(operation, call)).toMatchObject({ status: 403, code: 'blocked' });
  }
}

const callsOfBob = ({ bob, mallory }: BlockedPair): HonestCall[] => [
  honestCall('list ten messages across conversations', bob, listMessages, {}),
  honestCall('list conversations', bob, listConversations, {}),
  honestCall('block again', bob, createBlock, { path: { contact_id: mallory.id } }),
  honestCall('list blocked contacts', bob, listBlocks, {}, ({ data }) => {
    expect(data.map(({ contact_id }) => contact_id)).toEqual([mallory.id]);
  }),
];

export const blockedContacts = [
  scenario<BlockedPair>({
    title: 'A blocked contact tries to send in hundreds of conversations and to create another',
    quiet: (abuse) => seedBlockedPair(abuse, baselineCount),
    abused: (abuse) => seedBlockedPair(abuse, large(abuse)),
    hostileAction: expectRefusals,
    honestCalls: callsOfBob,
    // A repeated block updates and queries each conversation of the pair.
    extraCost: (abuse) => ({ calls: 2 * large(abuse), units: large(abuse) }),
    checkAfterwards: expectRefusals,
  }),
];
