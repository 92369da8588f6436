import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from '@jest/globals';
import { listen } from '../../local-cloud/listen.ts';
import { newSecret, signAttempt } from '../../shared/webhooks/signature.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const folder = join(import.meta.dirname, '../../examples/webhooks');
const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import hmac']).status === 0,
);
const programs: [name: string, command: string, file: string][] = [
  ['Node', process.execPath, 'receiver.mjs'],
  ...(python ? [['Python', python, 'receiver.py'] satisfies [string, string, string]] : []),
];

const started: { kill(): void }[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.kill();
});

const readyLine = 'ready event.ready 1';

/**
 * Starts the receiver. Retries on another port, up to twice, because another process may take the
 * port.
 */
async function start(command: string, file: string, secret: string) {
  for (let attempts = 1; attempts <= 3; attempts++) {
    const receiver = await startOnFreePort(command, file, secret);
    if (receiver) return receiver;
  }
  throw new Error(`${file} exited at each start.`);
}

/** Returns undefined if the receiver exits before it accepts events. */
async function startOnFreePort(command: string, file: string, secret: string) {
  const { port, close } = await listen(createServer(), 0);
  await close();
  const child = spawn(command, [join(folder, file)], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push({ kill: () => child.kill() });
  const exit = new AbortController();
  child.once('exit', () => exit.abort());
  const lines: string[] = [];
  let isReady = false;
  createInterface(child.stdout).on('line', (line) => {
    if (line === readyLine) isReady = true;
    else lines.push(line);
  });
  const post = async (headers: Record<string, string>, body: string) => {
    const request = { method: 'POST', headers, body, signal: exit.signal };
    return (await fetch(`http://127.0.0.1:${port}/`, request)).status;
  };
  const body = JSON.stringify({ id: 'ready', type: 'event.ready', version: 1 });
  await waitUntil(async () => {
    const attempt = { id: 'ready', seconds: Math.floor(Date.now() / 1000), body };
    await post(signAttempt([secret], attempt), body).catch(() => {});
    return isReady || exit.signal.aborted;
  });
  return exit.signal.aborted ? undefined : { post, lines };
}

describe.each(programs)('The receiver in %s', (_, command, file) => {
  test('accepts events with a valid signature, and rejects wrong secrets, changed bodies and old timestamps', async () => {
    const [secret, other] = [newSecret(), newSecret()];
    const { post, lines } = await start(command, file, secret);
    const seconds = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({ id: 'event-1', type: 'message.created', version: 3, text: 'é' });
    const attempt = { id: 'event-1', seconds, body };
    expect([
      await post(signAttempt([secret], attempt), body),
      await post(signAttempt([other, secret], attempt), body),
      await post(signAttempt([other], attempt), body),
      await post(signAttempt([secret], attempt), body.replace('é', 'e')),
      await post(signAttempt([secret], { ...attempt, seconds: seconds - 600 }), body),
    ]).toEqual([204, 204, 401, 401, 401]);
    await waitUntil(() => lines.length === 2);
    expect(lines).toEqual(Array(2).fill('event-1 message.created 3'));
  });
});
