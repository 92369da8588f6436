import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface ClientSettings {
  /**
   * URL of the form `https://<host>/event`. The local cloud requires `ws://<host>/event`, because
   * the client replaces `https://` with `wss://`, which the local cloud does not serve.
   */
  endpoint: string;
  channel: string;
  token: string;
}

export type ClientMessage =
  | { kind: 'ready' }
  | { kind: 'received'; event: unknown }
  | { kind: 'failed'; error: string };

export interface AwsClient {
  received: unknown[];
  close(): Promise<unknown>;
}

/**
 * Subscribes with AWS's client for Event APIs (`aws-amplify/data`). Rejects if the connection or
 * the subscription fails.
 */
export function startAwsClient(settings: ClientSettings): Promise<AwsClient> {
  const thread = new Worker(join(import.meta.dirname, 'aws-client-program.ts'), {
    workerData: settings,
  });
  const received: unknown[] = [];
  const started = Promise.withResolvers<AwsClient>();
  const fail = (error: unknown) => {
    started.reject(error);
    return thread.terminate();
  };
  thread.on('message', (message: ClientMessage) => {
    if (message.kind === 'received') received.push(message.event);
    else if (message.kind === 'ready')
      started.resolve({ received, close: () => thread.terminate() });
    else fail(new Error(message.error));
  });
  thread.once('error', fail);
  return started.promise;
}
