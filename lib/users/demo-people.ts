import type { TokenClaims } from '../local/issuer.ts';

/** People to try the API with. */
export const demoPeople = {
  ann: { username: 'Ann', groups: ['team', 'friends'], phone_number: '+15550100' },
  bob: { username: 'Bob', groups: ['team'], phone_number: '+15550101' },
  carol: { username: 'Carol', groups: ['friends'], phone_number: '+15550102' },
} as const satisfies Record<string, TokenClaims>;
