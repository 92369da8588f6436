import { createServer } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { listen } from '../../local-cloud/listen.ts';

test.each([
  [
    'EADDRINUSE',
    'Port 80 is in use: choose another with --port, or stop the program that uses it.',
  ],
  ['EACCES', 'Port 80 requires privileges: choose another with --port.'],
])('an %s error is reported with the port and an instruction', async (code, expected) => {
  const error = Object.assign(new Error(`listen ${code}`), { code });
  const server = createServer();
  // Which ports are privileged depends on the machine.
  jest.spyOn(server, 'listen').mockImplementation(() => {
    server.emit('error', error);
    return server;
  });
  await expect(listen(server, 80)).rejects.toThrow(expected);
});

test('a reply has no Keep-Alive header', async () => {
  const { port, close } = await listen(
    createServer((_, response) => response.end()),
    0,
  );
  const { headers } = await fetch(`http://127.0.0.1:${port}`);
  await close();
  expect(headers.get('keep-alive')).toBeNull();
});
