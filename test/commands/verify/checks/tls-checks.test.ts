import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { expect, test } from '@jest/globals';
import { tlsChecks } from '../../../../commands/verify/checks/tls-checks.ts';
import { runCheck } from '../../../../commands/verify/target/check.ts';

async function checkServer(server: Server) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const [check] = tlsChecks({ kind: 'address', name: '', url: `https://127.0.0.1:${port}` });
  if (!check) throw new Error('There is no such check.');
  const { state, seen } = await runCheck(check);
  server.close();
  return [state, seen];
}

test('A server that requires TLS 1.2 passes the TLS check', async () => {
  expect(await checkServer(createServer({ minVersion: 'TLSv1.2' }))).toEqual([
    'ok',
    'no connection (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
  ]);
});

test('A server without TLS is not checkable', async () => {
  const [state, seen] = await checkServer(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }),
  );
  expect([state, seen]).toEqual(['not checkable', expect.stringMatching(/^connection failed: /)]);
});
