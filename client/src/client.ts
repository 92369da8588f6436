import { methods } from './generated/methods.ts';
import { createMethodFactory } from './method-factory.ts';
import type { ClientOptions } from './options.ts';
import { createRequestSender } from './request-sender.ts';

/** The operations of the API as methods, such as `client.messages.send`, in the name of whom the token names. */
export interface Client extends ReturnType<typeof methods> {
  /** A token as requests have it; `fresh` after one was refused as expired. */
  token(wanted?: { fresh: boolean }): Promise<string>;
}

export function createClient(options: ClientOptions): Client {
  const core = createRequestSender(options);
  return { ...methods(createMethodFactory(core)), token: core.token };
}
