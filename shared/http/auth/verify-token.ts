import { FetchError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import type { Jwk } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt, validateJwtFields } from 'aws-jwt-verify/jwt';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import type { ErrorCode } from '../../contract/errors.ts';
import { env } from '../../env.ts';
import { type CallerContext, toCallerContext } from './caller-context.ts';
import { createKeySet } from './key-set.ts';

/**
 * Returns the context of the token's caller, or the error that rejects the token. The error is
 * `unavailable` if the key is not cached and no fetch is due.
 */
export type VerifyToken = (authorization: string) => Promise<CallerContext | ErrorCode>;

/**
 * Creates a verifier of `Bearer …` header values. The verifier throws only if it cannot fetch the
 * keys.
 */
export function createTokenVerifier(): VerifyToken {
  const expectedClaims = { issuer: env('TOKEN_ISSUER'), audience: env('TOKEN_AUDIENCE') };
  const keys = createKeySet(env('TOKEN_KEYS_URL'));

  /**
   * Reports whether the signature is valid. Returns false if Node throws an error, for example for
   * a wrong length.
   */
  function hasValidSignature(token: string, key: Jwk): boolean {
    try {
      verifyJwtSync(token, key, expectedClaims);
      return true;
    } catch {
      return false;
    }
  }

  return async (authorization) => {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    if (!token || !hasCanonicalSignature(token)) return 'token_invalid';
    try {
      const { header, payload } = decomposeUnverifiedJwt(token);
      const context = toCallerContext(payload);
      // Checks that need no key come first, so that a token with invalid claims causes no request
      // to the issuer.
      validateJwtFields(payload, expectedClaims);
      if (!header.kid || !context) return 'token_invalid';
      const key = await keys.findKey(header.kid);
      if (key === 'unknown') return 'unavailable';
      return key !== 'absent' && hasValidSignature(token, key) ? context : 'token_invalid';
    } catch (error) {
      if (error instanceof FetchError) throw error;
      if (error instanceof JwtExpiredError) return 'token_expired';
      if (error instanceof JwtBaseError) return 'token_invalid';
      throw error;
    }
  };
}

/**
 * Reports whether the signature has its canonical encoding. The firewall counts requests per token
 * text. Without this check, one token would have several valid texts, because the encoding has
 * unused bits.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
