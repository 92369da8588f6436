import { expect } from '@jest/globals';
import * as v from 'valibot';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { send } from '../../acceptance/support/api.ts';
import { addTo, longAgo, reading, type Talk, talk } from '../support/conversation.ts';
import { story } from '../support/story.ts';

const afterwards = async (place: Talk): Promise<Talk> => {
  await addTo(place, ['And then there was one more']);
  return place;
};

/** The same request four times, as an impatient client sends it; one message comes of it. */
async function fourAtOnce({ id, ann, messages }: Talk, text: string): Promise<void> {
  const body = { conversation_id: id, message: text };
  const headers = { 'Idempotency-Key': text };
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => send(ann, sendMessage, { body, headers })),
  );
  const made = replies.find(({ status }) => status === sendMessage.status);
  messages.push({ id: v.parse(Made, await made?.json()).id, text });
}

const Made = v.object({ id: v.string() });

export const deadSends = [
  story<Talk>({
    title: 'A send dies above a thousand places that were deleted long ago',
    quiet: async (siege) => afterwards(await talk(siege)),
    besieged: async (siege) => {
      const place = await talk(siege, longAgo(siege));
      siege.crashes.strike(place.id);
      const body = { conversation_id: place.id, message: 'Never arrives' };
      const { status } = await send(place.ann, sendMessage, { body });
      siege.crashes.relent(place.id);
      expect(status).toBe(503);
      return afterwards(place);
    },
    honest: reading,
  }),
  story<Talk>({
    title:
      'Somebody sends four requests with one Idempotency-Key at once, above a thousand places that were deleted long ago',
    quiet: async (siege) => {
      const place = await talk(siege);
      await addTo(place, ['One', 'Two', 'Three', 'Four']);
      return afterwards(place);
    },
    besieged: async (siege) => {
      const place = await talk(siege, longAgo(siege));
      // One round after the other: twins meet where the functions are warm.
      for (const text of ['One', 'Two', 'Three', 'Four']) await fourAtOnce(place, text);
      return afterwards(place);
    },
    honest: reading,
  }),
];
