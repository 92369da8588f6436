import type { Caller } from '../../../shared/caller.ts';

export const person = (id: string, details: Partial<Caller> = {}): Caller => ({
  id,
  groups: [],
  tokenExpiresAt: 4_000_000_000,
  username: `${id}.name`,
  phone_number: '+4930123456',
  avatar_url: `https://example.com/${id}.png`,
  ...details,
});

export const ann = person('ann');
export const bob = person('bob');
export const eve = person('eve');

let trios = 0;

/** Creates three people and a group id, all unique in the test file. */
export function createTrio() {
  trios += 1;
  const named = (name: string) => person(`${name}-${trios}`);
  return {
    cleo: named('cleo'),
    xavier: named('xavier'),
    tina: named('tina'),
    team: `team-${trios}`,
  };
}

/** Returns a contact without a profile, as other callers see it. */
export const unknownContact = (id: string) => ({
  id,
  username: null,
  phone_number: null,
  avatar_url: null,
  last_active_at: null,
  created_at: null,
});
