import type { Caller } from '../../shared/caller.ts';

/** Somebody who calls: by default with no groups, and a profile that their token tells. */
export const person = (id: string, details: Partial<Caller> = {}): Caller => ({
  id,
  groups: [],
  username: `${id}.name`,
  phone_number: '+4930123456',
  avatar_url: `https://example.com/${id}.png`,
  ...details,
});

export const ann = person('ann');
export const bob = person('bob');
export const eve = person('eve');
