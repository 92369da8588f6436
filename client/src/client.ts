import { coreOf } from './core.ts';
import { methods } from './generated/methods.ts';
import { makerOf } from './maker.ts';
import type { ClientOptions } from './options.ts';

/** The operations of the API as methods, such as `client.messages.send`, in the name of whom the token names. */
export interface Client extends ReturnType<typeof methods> {
  /** A token as requests have it; `fresh` after one was refused as expired. */
  token(wanted?: { fresh: boolean }): Promise<string>;
}

export function createClient(options: ClientOptions): Client {
  const core = coreOf(options);
  return { ...methods(makerOf(core)), token: core.token };
}
