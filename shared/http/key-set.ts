import type { Jwks, JwkWithKid } from 'aws-jwt-verify/jwk';
import { findJwkInJwks } from 'aws-jwt-verify/jwk';
import { clock } from '../clock.ts';
import { fetchKeySet } from './fetch-key-set.ts';

/**
 * Milliseconds for which a key set is used without a new fetch. A revoked key may stay valid that
 * long.
 */
const freshFor = 5 * 60_000;
/** Milliseconds for which it is used while the issuer is unreachable. */
const retainedSeconds = 60 * 60_000;
/** Minimum milliseconds between two fetches … */
const pause = 1000;
/** … and after a failed one, while known keys suffice. */
const longPause = 30_000;

/** `absent`: the issuer has no such key. `unknown`: the issuer may not be asked again yet. */
export type KeyFound = JwkWithKid | 'absent' | 'unknown';

/**
 * Creates a cache of the issuer's public keys. Fetches unknown keys, and all keys every five
 * minutes, but at most once a second, so that made-up key ids do not set the rate. Throws if the
 * issuer returns no keys and no key of that id was known within the last hour.
 */
export function keySet(address: string): { keyOf(id: string): Promise<KeyFound> } {
  let keys: Jwks = { keys: [] };
  /** When the known keys were fetched, and when the last fetch started; never, at first. */
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
   * Fetches unless the last fetch started less than the interval ago. Compares the absolute
   * difference, so that a clock set back does not block fetches. Returns whether a fetch started
   * now; one already running may predate the question.
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
