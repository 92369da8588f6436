import {
  listConversations,
  listMessages,
  sendMessage,
} from '../../../../shared/contract/operations.ts';
import { maxGroupsOfPerson } from '../../../../shared/contract/resources/group.ts';
import { addMember, makeGroup, removeMember } from '../../../support/handlers/group-calls.ts';
import { honestCall } from '../../support/honest-call.ts';
import { mapConcurrently } from '../../support/plant-history.ts';
import { type PlantedConversation, plantConversation } from '../../support/planted-conversation.ts';
import { scenario } from '../../support/scenario.ts';

export const crowdedGroups = [
  scenario<PlantedConversation & { churn?: () => Promise<void> }>({
    title:
      'A stranger adds a person to 300 groups, and removes and adds them for ever: lists read the heads of the groups',
    quiet: (abuse) => plantConversation(abuse, { hours: 1 }),
    abused: async (abuse) => {
      const sequence = await plantConversation(abuse, { hours: 1 });
      const { caller: mallory } = await abuse.createParticipant('mallory');
      const { caller: bob } = sequence.bob;
      const groups = await mapConcurrently([...Array(maxGroupsOfPerson).keys()], () =>
        makeGroup(mallory, [bob]),
      );
      const [{ id = '' } = {}] = groups;
      const churn = async () => {
        await removeMember(mallory, id, bob);
        await addMember(mallory, id, bob);
      };
      return { ...sequence, churn };
    },
    hostileAction: async ({ churn }) => churn?.(),
    honestCalls: ({ bob, id }) => [
      honestCall('list conversations', bob, listConversations, {}),
      honestCall('list muted conversations', bob, listConversations, { query: { muted: 'true' } }),
      honestCall('list ten across', bob, listMessages, {}),
      honestCall('list messages', bob, listMessages, { query: { conversation_id: id } }),
      honestCall('send', bob, sendMessage, { body: { conversation_id: id, message: 'Hi' } }),
    ],
    // Memberships, and half a unit for the head of each group.
    extraCost: { calls: 4, units: maxGroupsOfPerson / 2 + 20 },
    // The first list derives the heads.
    oneTimeCost: { calls: 2 * maxGroupsOfPerson, units: 2 * maxGroupsOfPerson },
  }),
];
