import { expect } from '@jest/globals';
import * as v from 'valibot';
import { sendMessage } from '../../../../shared/contract/operations.ts';
import { send } from '../../../acceptance/support/api.ts';
import { scenario } from '../../support/scenario.ts';
import {
  addMessages,
  oldDeletions,
  readCalls,
  type SeededConversation,
  seedConversation,
} from '../../support/seeded-conversation.ts';

const checkAfterwards = async (seeded: SeededConversation): Promise<SeededConversation> => {
  await addMessages(seeded, ['And then there was one more']);
  return seeded;
};

async function fourAtOnce({ id, ann, messages }: SeededConversation, text: string): Promise<void> {
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
  scenario<SeededConversation>({
    title: 'A send crashes in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => checkAfterwards(await seedConversation(abuse)),
    abused: async (abuse) => {
      const seeded = await seedConversation(abuse, oldDeletions(abuse));
      abuse.crashes.start(seeded.id);
      const body = { conversation_id: seeded.id, message: 'Never arrives' };
      const { status } = await send(seeded.ann, sendMessage, { body });
      abuse.crashes.stop(seeded.id);
      expect(status).toBe(503);
      return checkAfterwards(seeded);
    },
    honestCalls: readCalls,
  }),
  scenario<SeededConversation>({
    title:
      'A client sends four concurrent requests with one Idempotency-Key in a conversation with 1,000 old deleted messages',
    quiet: async (abuse) => {
      const seeded = await seedConversation(abuse);
      await addMessages(seeded, ['One', 'Two', 'Three', 'Four']);
      return checkAfterwards(seeded);
    },
    abused: async (abuse) => {
      const seeded = await seedConversation(abuse, oldDeletions(abuse));
      // The first round warms the functions, so that later duplicates run concurrently.
      for (const text of ['One', 'Two', 'Three', 'Four']) await fourAtOnce(seeded, text);
      return checkAfterwards(seeded);
    },
    honestCalls: readCalls,
  }),
];
