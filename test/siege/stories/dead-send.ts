import { expect } from '@jest/globals';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { send } from '../../acceptance/support/api.ts';
import { addTo, reading, type Talk, talk } from '../support/conversation.ts';
import type { Siege } from '../support/siege.ts';
import { story } from '../support/story.ts';

const longAgo = (siege: Siege) =>
  talk(siege, { deleted: siege.many(1000), order: 'in a muddle', hours: 26, expired: true });

const afterwards = async (place: Talk): Promise<Talk> => {
  await addTo(place, ['And then there was one more']);
  return place;
};

export const deadSends = [
  story<Talk>({
    title: 'A send dies above a thousand places that were deleted long ago',
    quiet: async (siege) => afterwards(await talk(siege)),
    besieged: async (siege) => {
      const place = await longAgo(siege);
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
    title: 'Somebody sends four requests with one Idempotency-Key at once, above a thousand places that were deleted long ago',
    quiet: async (siege) => afterwards(await afterwards(await talk(siege))),
    besieged: async (siege) => {
      const place = await longAgo(siege);
      const body = { conversation_id: place.id, message: 'Once' };
      const headers = { 'Idempotency-Key': 'one and the same' };
      const replies = await Promise.all(
        [1, 2, 3, 4].map(() => send(place.ann, sendMessage, { body, headers })),
      );
      const made = await replies.find(({ status }) => status === 201)?.json();
      place.messages.push({ id: String(made?.id), text: 'Once' });
      return afterwards(place);
    },
    honest: reading,
  }),
];
