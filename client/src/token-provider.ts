import type { ClientOptions } from './options.ts';

export interface TokenProvider {
  (wanted?: { fresh: boolean }): Promise<string>;
  /** Whether there can be another one. */
  renews: boolean;
}

/** Asks for tokens. Whoever needs a fresh one while one is on its way gets that. */
export function createTokenProvider(source: ClientOptions['token']): TokenProvider {
  if (typeof source === 'string') return Object.assign(async () => source, { renews: false });
  let renewal: Promise<string> | undefined;
  const tokens = async ({ fresh } = { fresh: false }) => {
    if (!fresh) return renewal ?? source({ fresh });
    renewal ??= Promise.resolve(source({ fresh })).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  return Object.assign(tokens, { renews: true });
}
