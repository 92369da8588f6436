import { expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { openPushConnection } from '../../client/src/live/connection/push-connection.ts';

/** No program listens on port 1 (TCPMUX). */
const url = 'ws://127.0.0.1:1';

test('With the `ws` package, as on Node 20, openPushConnection rejects if the server is unreachable', async () => {
  const { signal } = new AbortController();
  const listeners = { onEvent: () => {}, onMissedEvent: () => {} };
  const options = { host: 'nowhere', token: 'x', signal, ...listeners };
  const connecting = openPushConnection({ WebSocket, url, ...options });
  await expect(connecting).rejects.toThrow('The connection has ended.');
});
