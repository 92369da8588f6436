import { expect } from '@jest/globals';
import * as v from 'valibot';
import { sendMessage } from '../../../../shared/contract/operations.ts';
import { send } from '../../../acceptance/support/api.ts';
import {
  addMessages,
  oldDeletions,
  type PlantedConversation,
  plantConversation,
  readCalls,
} from '../../support/planted-conversation.ts';
import { scenario } from '../../support/scenario.ts';

const afterwards = async (sequence: PlantedConversation): Promise<PlantedConversation> => {
  await addMessages(sequence, ['And then there was one more']);
  return sequence;
};

/** Sends the same request four times concurrently, as an impatient client does. */
async function fourAtOnce({ id, ann, messages }: PlantedConversation, text: string): Promise<void> {
  const body = { conversation_id: id, message: text };
  const headers = { 'Idempotency-Key': text };
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => send(ann, sendMessage, { body, headers })),
  );
  const made = replies.find(({ status }) => status === sendMessage.status);
  messages.push({ id: v.parse(Made, await made?.json()).id, text });
}

const Made = v.object({ id: v.string() });

export const crashedSends = [
  scenario<PlantedConversation>({
    title: 'A send crashes in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => afterwards(await plantConversation(abuse)),
    abused: async (abuse) => {
      const sequence = await plantConversation(abuse, oldDeletions(abuse));
      abuse.crashes.start(sequence.id);
      const body = { conversation_id: sequence.id, message: 'Never arrives' };
      const { status } = await send(sequence.ann, sendMessage, { body });
      abuse.crashes.stop(sequence.id);
      expect(status).toBe(503);
      return afterwards(sequence);
    },
    honestCalls: readCalls,
  }),
  scenario<PlantedConversation>({
    title:
      'A client sends four concurrent requests with one Idempotency-Key in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => {
      const sequence = await plantConversation(abuse);
      await addMessages(sequence, ['One', 'Two', 'Three', 'Four']);
      return afterwards(sequence);
    },
    abused: async (abuse) => {
      const sequence = await plantConversation(abuse, oldDeletions(abuse));
      // The first round warms the functions, so that the duplicates of later rounds run
      // concurrently.
      for (const text of ['One', 'Two', 'Three', 'Four']) await fourAtOnce(sequence, text);
      return afterwards(sequence);
    },
    honestCalls: readCalls,
  }),
];
