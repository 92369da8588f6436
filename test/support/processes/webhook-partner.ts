import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { terminalEnvironment } from './run-command.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Runs `npm run webhooks` on the folder's local cloud and returns the output. Does not block this
 * process, which serves the local cloud.
 */
export async function runWebhooks(
  dataDirectory: string,
  ...parameters: readonly string[]
): Promise<string> {
  const child = spawn(
    process.execPath,
    ['bin/webhooks.ts', ...parameters, '--data', dataDirectory],
    { cwd: root, env: terminalEnvironment() },
  );
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout + stderr;
}

export const readSecret = (output: string) => ({
  id: /endpoint (\w+)/.exec(output)?.[1] ?? '',
  secret: /whsec_\S+/.exec(output)?.[0] ?? '',
});

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: string;
  /** Time of receipt on the monotonic clock, in milliseconds. */
  at: number;
}

/**
 * Starts a partner's endpoint that replies with the status from `getStatus` after `milliseconds`,
 * or never if the status is undefined.
 */
export async function startPartner(
  getStatus: (received: ReceivedEvent) => number | undefined,
  milliseconds = 0,
) {
  const received: ReceivedEvent[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const one = { headers: request.headers, body, at: performance.now() };
    received.push(one);
    const status = getStatus(one);
    const reply = () => response.writeHead(status ?? 0).end('Thanks');
    if (status !== undefined) setTimeout(reply, milliseconds).unref();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hooks`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
