import {
  deleteConversation,
  deleteMessage,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../../shared/contract/operations.ts';
import { newConversationId, toMessageId } from '../../../../shared/ids.ts';
import { removeConversation } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { refusedCall } from '../../support/honest-call.ts';
import { type ScenarioPlan, scenario } from '../../support/scenario.ts';
import { oldDeletions, seedConversation } from '../../support/seeded-conversation.ts';

interface Guess {
  eve: Participant;
  conversation_id: string;
  message_id: string;
}

async function unknownIds(abuse: AbuseRun): Promise<Guess> {
  const now = Date.now();
  const conversation_id = newConversationId(now);
  return {
    eve: await abuse.createParticipant('eve'),
    conversation_id,
    message_id: toMessageId({ conversationId: conversation_id, sequence: 3, sentAt: now }),
  };
}

/**
 * Maximum read and write units per call. Lists are the most expensive calls: they read 100 messages
 * in parallel with the membership check.
 */
const maxUnits = 12;

const guessingScenario = (title: string, abused: ScenarioPlan<Guess>['abused']) =>
  scenario<Guess>({
    title,
    quiet: unknownIds,
    abused,
    maxSlowdown: 2,
    // Both setups make the same number of table calls.
    maxFactor: 1,
    oneTimeCost: { calls: 0, units: 0 },
    maxUnits,
    rounds: 15,
    honestCalls: ({ eve, conversation_id, message_id }) => {
      const refused = (
        name: string,
        ...[row, sent]: [Parameters<typeof refusedCall>[2], Parameters<typeof refusedCall>[3]]
      ) => refusedCall(name, eve, row, sent, 404);
      const [path, messagePath] = [{ conversation_id }, { message_id }];
      return [
        refused('list', listMessages, { query: { conversation_id } }),
        refused('list 100 messages', listMessages, { query: { conversation_id, limit: '100' } }),
        refused('list older messages', listMessages, {
          query: { conversation_id, starting_after: message_id },
        }),
        refused('poll', listMessages, { query: { conversation_id, ending_before: message_id } }),
        refused('send', sendMessage, { body: { conversation_id, message: 'Hello?' } }),
        refused('retrieve a message', retrieveMessage, { path: messagePath }),
        refused('edit a message', updateMessage, { path: messagePath, body: { message: 'Ha' } }),
        refused('react', updateMessage, {
          path: messagePath,
          body: { reactions: { ok: [eve.id] } },
        }),
        refused('delete a message', deleteMessage, { path: messagePath }),
        refused('retrieve the conversation', retrieveConversation, { path }),
        refused('mute the conversation', updateConversation, { path, body: { is_muted: true } }),
        refused('pin', updateConversation, { path, body: { pinned_message_id: message_id } }),
        refused('delete the conversation', deleteConversation, { path }),
      ];
    },
  });

const of = async (
  abuse: AbuseRun,
  { id, messages }: Awaited<ReturnType<typeof seedConversation>>,
): Promise<Guess> => ({
  eve: await abuse.createParticipant('eve'),
  conversation_id: id,
  message_id: messages[2]?.id ?? '',
});

export const idGuessing = [
  guessingScenario(
    'A non-member cannot distinguish a conversation with 1,000 messages from a nonexistent one',
    async (abuse) =>
      of(abuse, await seedConversation(abuse, { deleted: abuse.scale(1000), retainOneIn: 1 })),
  ),
  guessingScenario(
    'A non-member cannot distinguish a conversation with 1,000 deleted messages from a nonexistent one',
    async (abuse) => of(abuse, await seedConversation(abuse, oldDeletions(abuse))),
  ),
  guessingScenario(
    'A non-member cannot distinguish a deleted conversation before its purge from a nonexistent one',
    async (abuse) => {
      const seeded = await seedConversation(abuse, {
        deleted: abuse.scale(1000),
        retainOneIn: 1,
      });
      await removeConversation(seeded.ann.caller, seeded.id);
      return of(abuse, seeded);
    },
  ),
];
