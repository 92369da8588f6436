import { expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { openPushConnection } from '../../client/src/live/connection/push-connection.ts';

test('With the `ws` package, as on Node 20, openPushConnection rejects if the server is unreachable', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await new Promise((done) => server.close(done));
  const { signal } = new AbortController();
  const listeners = { onEvent: () => {}, onMissedEvent: () => {} };
  const options = { host: 'nowhere', token: 'x', signal, ...listeners };
  const connecting = openPushConnection({ WebSocket, url: `ws://127.0.0.1:${port}`, ...options });
  await expect(connecting).rejects.toThrow('The connection has ended.');
});
