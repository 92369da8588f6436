import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { terminalEnvironment } from './run-command.ts';

const root = join(import.meta.dirname, '../../..');

/** Adds an endpoint for all events to the local cloud of the folder, which answers with a status. */
export async function addWebhookEndpoint(dataDirectory: string, status: number) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const types = ['message.*', 'conversation.*', 'business.*'];
  const child = spawn(
    process.execPath,
    [
      ...['bin/webhooks.ts', 'add', `http://127.0.0.1:${port}/`, '--data', dataDirectory],
      ...['--types', ...types],
    ],
    { cwd: root, env: terminalEnvironment() },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (!output.startsWith('Added')) throw new Error(`${output}${errors}`);
  return {
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
