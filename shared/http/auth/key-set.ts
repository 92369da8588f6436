import type { Jwks, JwkWithKid } from 'aws-jwt-verify/jwk';
import { findJwkInJwks } from 'aws-jwt-verify/jwk';
import { clock } from '../../clock.ts';
import { fetchKeySet } from './fetch-key-set.ts';

/** Milliseconds for which fetched keys are fresh. A revoked key may stay valid for that long. */
const freshMilliseconds = 5 * 60_000;
/** Maximum age in milliseconds of keys that are used while the issuer is unreachable. */
const maxStaleMilliseconds = 60 * 60_000;
/** Minimum milliseconds between two fetches. */
const fetchIntervalMilliseconds = 1000;
/** Minimum milliseconds between a failed fetch and the next one, if the requested key is known. */
const failedFetchIntervalMilliseconds = 30_000;

/** `absent`: the issuer has no such key. `unknown`: the key is not cached, and no fetch is due. */
export type KeyLookup = JwkWithKid | 'absent' | 'unknown';

/**
 * Creates a cache of the issuer's public keys. Fetches the keys, at most once a second, if the
 * requested key is unknown or older than five minutes. If the issuer is unreachable, uses keys
 * fetched in the last hour, and throws for other keys.
 */
export function createKeySet(address: string): { findKey(id: string): Promise<KeyLookup> } {
  let keys: Jwks = { keys: [] };
  /** Start time of the last successful fetch, in milliseconds. */
  let fetchedAt = Number.NEGATIVE_INFINITY;
  /** Start time of the last fetch, in milliseconds, even if the fetch failed. */
  let lastFetchStartedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let pendingFetch: Promise<void> | undefined;

  async function fetchKeys(): Promise<void> {
    lastFetchStartedAt = clock.now();
    const startedAt = lastFetchStartedAt;
    try {
      keys = await fetchKeySet(address);
      fetchedAt = startedAt;
      failure = undefined;
    } catch (error) {
      failure = error;
    } finally {
      pendingFetch = undefined;
    }
  }

  /**
   * Fetches the keys unless the last fetch started within the interval. Waits for a pending fetch.
   * Compares absolute differences, so that fetches continue after the clock is set back. Returns
   * whether this call started a fetch.
   */
  async function fetchUnlessRecent(intervalMilliseconds: number): Promise<boolean> {
    const startsFetch =
      !pendingFetch && Math.abs(clock.now() - lastFetchStartedAt) >= intervalMilliseconds;
    if (startsFetch) pendingFetch = fetchKeys();
    await pendingFetch;
    return startsFetch;
  }

  const findCachedKey = (id: string, milliseconds: number) =>
    Math.abs(clock.now() - fetchedAt) < milliseconds ? findJwkInJwks(keys, id) : undefined;

  return {
    async findKey(id) {
      const fresh = findCachedKey(id, freshMilliseconds);
      if (fresh) return fresh;
      const hasFetched = await fetchUnlessRecent(
        failure && findCachedKey(id, maxStaleMilliseconds)
          ? failedFetchIntervalMilliseconds
          : fetchIntervalMilliseconds,
      );
      const found = findCachedKey(id, maxStaleMilliseconds);
      if (found) return found;
      if (failure) throw failure;
      return hasFetched ? 'absent' : 'unknown';
    },
  };
}
