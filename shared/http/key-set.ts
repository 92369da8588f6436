import type { Jwks, JwkWithKid } from 'aws-jwt-verify/jwk';
import { findJwkInJwks } from 'aws-jwt-verify/jwk';
import { clock } from '../clock.ts';
import { fetchKeySet } from './fetch-key-set.ts';

/** Milliseconds for which a key set is taken as it was: so long a key that the issuer took back may still be good. */
const freshFor = 5 * 60_000;
/** Milliseconds for which it serves while the issuer is out of reach. */
const retainedSeconds = 60 * 60_000;
/** Milliseconds between two questions to the issuer, whoever asks for whatever keys … */
const pause = 1000;
/** … and after one that failed, while the keys that are known will do. */
const longPause = 30_000;

/** `absent`: the issuer has no such key. `unknown`: it has not been asked since the token came, and may not be yet. */
export type KeyFound = JwkWithKid | 'absent' | 'unknown';

/**
 * The issuer's public keys, as an environment knows them: `keyOf` gives the one of that id. It asks the issuer for keys that
 * it does not know, and every five minutes, but never more than once a second, so that made-up ids set no pace. Throws
 * when the issuer does not answer with keys, and had none of that id within the last hour.
 */
export function keySet(address: string): { keyOf(id: string): Promise<KeyFound> } {
  let keys: Jwks = { keys: [] };
  /** When the keys were asked for that are known, and when the issuer was asked last; never, at first. */
  let knownSince = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let underWay: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAt = clock.now();
    const since = askedAt;
    try {
      keys = await fetchKeySet(address);
      knownSince = since;
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      underWay = undefined;
    }
  }

  /**
   * Asks, unless the last time is less than so long ago: by the distance, as a clock that was set back must not stop it.
   * Tells whether it was asked now; what was under way already may be the answer to an older question.
   */
  async function retryRead(after: number): Promise<boolean> {
    const asks = !underWay && Math.abs(clock.now() - askedAt) >= after;
    if (asks) underWay = ask();
    await underWay;
    return asks;
  }

  const known = (id: string, milliseconds: number) =>
    Math.abs(clock.now() - knownSince) < milliseconds ? findJwkInJwks(keys, id) : undefined;

  return {
    async keyOf(id) {
      const fresh = known(id, freshFor);
      if (fresh) return fresh;
      const asked = await retryRead(failure && known(id, retainedSeconds) ? longPause : pause);
      const found = known(id, retainedSeconds);
      if (found) return found;
      if (failure) throw failure;
      return asked ? 'absent' : 'unknown';
    },
  };
}
