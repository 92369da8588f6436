import { FetchError, JwtBaseError, JwtExpiredError } from 'aws-jwt-verify/error';
import type { Jwk } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt, validateJwtFields } from 'aws-jwt-verify/jwt';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import type { ErrorCode } from '../contract/errors.ts';
import { env } from '../env.ts';
import { type CallerContext, contextOf } from './caller-context.ts';
import { keySet } from './key-set.ts';

/** The caller whose token it is, or why it is not accepted; `unavailable` while that cannot be known. */
export type CheckToken = (authorization: string) => Promise<CallerContext | ErrorCode>;

/**
 * Checks bearer tokens, as they stand in a header with `Bearer ` before them, by what the environment says of whose tokens
 * are accepted. Throws only when the issuer's keys are out of reach.
 */
export function tokenCheck(): CheckToken {
  const accepted = { issuer: env('TOKEN_ISSUER'), audience: env('TOKEN_AUDIENCE') };
  const keys = keySet(env('TOKEN_KEYS_URL'));

  /** Node's own errors, as for a signature of another length than the key makes, are the token's fault as well. */
  function isSigned(token: string, key: Jwk): boolean {
    try {
      verifyJwtSync(token, key, accepted);
      return true;
    } catch {
      return false;
    }
  }

  return async (authorization) => {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    if (!token || !isWrittenInOneWay(token)) return 'token_invalid';
    try {
      const { header, payload } = decomposeUnverifiedJwt(token);
      const context = contextOf(payload);
      // First what takes no key: no token that is no good anyway makes us ask the issuer for one.
      validateJwtFields(payload, accepted);
      if (!header.kid || !context) return 'token_invalid';
      const key = await keys.keyOf(header.kid);
      if (key === 'unknown') return 'unavailable';
      return key !== 'absent' && isSigned(token, key) ? context : 'token_invalid';
    } catch (error) {
      if (error instanceof FetchError) throw error;
      if (error instanceof JwtExpiredError) return 'token_expired';
      if (error instanceof JwtBaseError) return 'token_invalid';
      throw error;
    }
  };
}

/** The gateway and the firewall tell tokens apart by their text: nobody shall make many of one by its spare bits. */
function isWrittenInOneWay(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
