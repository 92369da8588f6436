import {
  listConversations,
  listEvents,
  listGroupMembers,
  listMessages,
  sendMessage,
} from '../../../../shared/contract/operations.ts';
import { maxGroupsOfPerson } from '../../../../shared/contract/resources/group.ts';
import { addMember, makeGroup, removeMember } from '../../../support/handlers/group-calls.ts';
import type { AbuseRun } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { mapConcurrently } from '../../support/seed-history.ts';
import { type SeededConversation, seedConversation } from '../../support/seeded-conversation.ts';

export const crowdedGroups = [
  scenario<SeededConversation & { churn?: () => Promise<void> }>({
    title:
      'A stranger adds a user to 300 groups, then repeatedly removes the user from one group and adds them again',
    quiet: (abuse) => seedConversation(abuse, { hours: 1 }),
    abused: async (abuse) => {
      const seeded = await seedConversation(abuse, { hours: 1 });
      const { caller: mallory } = await abuse.createParticipant('mallory');
      const { caller: bob } = seeded.bob;
      const groups = await mapConcurrently([...Array(maxGroupsOfPerson).keys()], () =>
        makeGroup(mallory, [bob]),
      );
      const [{ id = '' } = {}] = groups;
      const churn = async () => {
        await removeMember(mallory, id, bob);
        await addMember(mallory, id, bob);
      };
      return { ...seeded, churn };
    },
    hostileAction: async ({ churn }) => churn?.(),
    honestCalls: ({ bob, id }) => [
      honestCall('list conversations', bob, listConversations, {}),
      honestCall('list muted conversations', bob, listConversations, { query: { muted: 'true' } }),
      honestCall('list ten messages across conversations', bob, listMessages, {}),
      honestCall('list messages', bob, listMessages, { query: { conversation_id: id } }),
      honestCall('send', bob, sendMessage, { body: { conversation_id: id, message: 'Hi' } }),
    ],
    // Each list reads the memberships and all group heads. Reading a head costs half a read unit.
    extraCost: { calls: 4, units: maxGroupsOfPerson / 2 + 20 },
    // The first list request also derives the heads.
    oneTimeCost: { calls: 2 * maxGroupsOfPerson, units: 2 * maxGroupsOfPerson },
  }),
  scenario<SeededConversation & { group_id: string; churn: () => Promise<void> }>({
    title:
      'A stranger adds a user and nearly 1,000 people to a group, then repeatedly removes people and adds them again',
    quiet: (abuse) => seedGroup(abuse, 10),
    abused: (abuse) => seedGroup(abuse, abuse.scale(990)),
    hostileAction: ({ churn }) => churn(),
    honestCalls: ({ bob, id, group_id }) => [
      honestCall('list conversations', bob, listConversations, {}),
      honestCall('list members', bob, listGroupMembers, { path: { group_id } }),
      honestCall('list ten events', bob, listEvents, {}),
      honestCall('send', bob, sendMessage, { body: { conversation_id: id, message: 'Hi' } }),
    ],
  }),
];

/**
 * Seeds a conversation between Ann and Bob, then a stranger's group with Bob and `count` other
 * members.
 */
async function seedGroup(abuse: AbuseRun, count: number) {
  const seeded = await seedConversation(abuse, { hours: 1 });
  const { caller: mallory } = await abuse.createParticipant('mallory');
  const toMember = (n: number) => ({ ...mallory, id: `${mallory.id}-${n}` });
  const { id: group_id } = await makeGroup(mallory, [seeded.bob.caller]);
  for (let n = 0; n < count; n += 1) await addMember(mallory, group_id, toMember(n));
  let next = 0;
  const churn = async () => {
    const member = toMember(next++ % count);
    await removeMember(mallory, group_id, member);
    await addMember(mallory, group_id, member);
  };
  return { ...seeded, group_id, churn };
}
