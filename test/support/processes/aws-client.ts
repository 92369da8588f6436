import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface ClientSettings {
  /** `https://<host>/event`; of the local cloud `ws://<host>/event`, as the client writes `wss://` for `https://`. */
  endpoint: string;
  channel: string;
  token: string;
}

export type ClientMessage =
  | { kind: 'ready' }
  | { kind: 'told'; event: unknown }
  | { kind: 'failed'; error: string };

export interface AwsClient {
  /** What was told so far. */
  told: unknown[];
  close(): Promise<unknown>;
}

/** Subscribes by AWS's own client of Event APIs, as it is (apps have it in `aws-amplify/data`); rejects when it may not. */
export function startAwsClient(settings: ClientSettings): Promise<AwsClient> {
  const thread = new Worker(join(import.meta.dirname, 'aws-client-program.ts'), {
    workerData: settings,
  });
  const told: unknown[] = [];
  const started = Promise.withResolvers<AwsClient>();
  const fail = (error: unknown) => {
    started.reject(error);
    return thread.terminate();
  };
  thread.on('message', (message: ClientMessage) => {
    if (message.kind === 'told') told.push(message.event);
    else if (message.kind === 'ready') started.resolve({ told, close: () => thread.terminate() });
    else fail(new Error(message.error));
  });
  thread.once('error', fail);
  return started.promise;
}
