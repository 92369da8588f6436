/**
 * Runs AWS's client in a worker thread, because the client has global state, and its timers keep
 * running after it is closed.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { events } from '@aws-amplify/api-graphql';
import { Amplify } from '@aws-amplify/core';
import type { ClientMessage, ClientSettings } from './aws-client.ts';

const { endpoint, channel, token }: ClientSettings = workerData;
const post = (message: ClientMessage) => parentPort?.postMessage(message);

Amplify.configure({
  API: { Events: { endpoint, region: 'us-east-1', defaultAuthMode: 'lambda' } },
});
const options = { authMode: 'lambda', authToken: `Token ${token}` } as const;
try {
  const connected = await events.connect(channel, options);
  const subscription = connected.subscribe(
    {
      next: ({ event }) => post({ kind: 'received', event }),
      error: (error) => post({ kind: 'failed', error: JSON.stringify(error) }),
    },
    options,
  );
  await subscription.ready;
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'failed', error: String(error) });
}
