import { SignedOutError } from '../api-error.ts';
import type { ClientOptions } from '../options.ts';

/** Returns a token. Throws `SignedOutError` if there is none. */
export interface TokenProvider {
  (request?: { fresh: boolean }): Promise<string>;
  /** Whether the provider can fetch a fresh token. */
  renews: boolean;
}

/** Returns a token provider. While it fetches a fresh token, all requests wait for that token. */
export function createTokenProvider(source: ClientOptions['token']): TokenProvider {
  if (typeof source === 'string') return Object.assign(async () => source, { renews: false });
  const state: { renewal: Promise<string> | undefined } = { renewal: undefined };
  const fetchToken = async (fresh: boolean) => {
    const token = await source({ fresh });
    if (!token) throw new SignedOutError();
    return token;
  };
  const provide = async ({ fresh } = { fresh: false }) => {
    if (!fresh) return state.renewal ?? fetchToken(fresh);
    state.renewal ??= fetchToken(fresh).finally(() => {
      state.renewal = undefined;
    });
    return state.renewal;
  };
  return Object.assign(provide, { renews: true });
}
