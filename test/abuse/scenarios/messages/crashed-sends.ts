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

const checkAfterwards = async (planted: PlantedConversation): Promise<PlantedConversation> => {
  await addMessages(planted, ['And then there was one more']);
  return planted;
};

async function fourAtOnce({ id, ann, messages }: PlantedConversation, text: string): Promise<void> {
  const body = { conversation_id: id, message: text };
  const headers = { 'Idempotency-Key': text };
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => send(ann, sendMessage, { body, headers })),
  );
  const createdReply = replies.find(({ status }) => status === sendMessage.status);
  messages.push({ id: v.parse(Created, await createdReply?.json()).id, text });
}

const Created = v.object({ id: v.string() });

export const crashedSends = [
  scenario<PlantedConversation>({
    title: 'A send crashes in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => checkAfterwards(await plantConversation(abuse)),
    abused: async (abuse) => {
      const planted = await plantConversation(abuse, oldDeletions(abuse));
      abuse.crashes.start(planted.id);
      const body = { conversation_id: planted.id, message: 'Never arrives' };
      const { status } = await send(planted.ann, sendMessage, { body });
      abuse.crashes.stop(planted.id);
      expect(status).toBe(503);
      return checkAfterwards(planted);
    },
    honestCalls: readCalls,
  }),
  scenario<PlantedConversation>({
    title:
      'A client sends four concurrent requests with one Idempotency-Key in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => {
      const planted = await plantConversation(abuse);
      await addMessages(planted, ['One', 'Two', 'Three', 'Four']);
      return checkAfterwards(planted);
    },
    abused: async (abuse) => {
      const planted = await plantConversation(abuse, oldDeletions(abuse));
      // The first round warms the functions, so that later duplicates run concurrently.
      for (const text of ['One', 'Two', 'Three', 'Four']) await fourAtOnce(planted, text);
      return checkAfterwards(planted);
    },
    honestCalls: readCalls,
  }),
];
