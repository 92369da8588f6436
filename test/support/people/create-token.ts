import { jest } from '@jest/globals';
import type { Issuer, TokenClaims } from '../../../local-cloud/issuer.ts';

/**
 * Returns a token that expires at `expiresAt`, in Unix seconds. Stops the clock during the call,
 * because the issuer adds the token's lifetime to the current second.
 */
export async function createTokenUntil(
  issuer: Issuer,
  expiresAt: number,
  claims: TokenClaims = {},
): Promise<string> {
  const now = Date.now();
  const stopped = jest.spyOn(Date, 'now').mockReturnValue(now);
  try {
    const expires_in = expiresAt - Math.floor(now / 1000);
    return await issuer.token('ann', { ...claims, expires_in });
  } finally {
    stopped.mockRestore();
  }
}
