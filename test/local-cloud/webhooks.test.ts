import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../client/src/index.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { temporaryFolder } from './small-stack.ts';

const root = join(import.meta.dirname, '../..');
const data = temporaryFolder();
const lines: string[] = [];
const servers: Server[] = [];

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data, log: (line) => lines.push(line) });
});
afterAll(async () => {
  await cloud.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Runs the command as a separate process, because this process serves the table. */
async function webhooks(...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, ['bin/webhooks.ts', ...parameters, '--data', data], {
    cwd: root,
    env: terminalEnvironment(),
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout + stderr;
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An endpoint of a partner, which answers with a status after a time. */
async function startEndpoint(answer: (received: Received) => number, milliseconds = 0) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = { headers: request.headers, body: await text(request) };
    received.push(one);
    setTimeout(() => response.writeHead(answer(one)).end('Thanks'), milliseconds);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/hooks` };
}

const idOf = (output: string) => /endpoint (\w+)\./.exec(output)?.[1] ?? '';
const secretOf = (output: string) => /whsec_\S+/.exec(output)?.[0] ?? '';

/** Returns the event of a delivery that the secret signed. */
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    id: string;
    type: string;
    payload: Record<string, unknown>;
  };

const clientOf = async (contactId: string, groups: string[] = []) => {
  const token = await cloud.token(contactId, { groups });
  return createClient({ url: cloud.url, token: () => token });
};
const sendFrom = async (contactId: string, to: string, message: string) => {
  const client = await clientOf(contactId);
  const { id } = await client.conversations.create({ contact_id: to, distinct: true });
  return client.messages.send({ conversation_id: id, message });
};

describe('An endpoint', () => {
  test('receives the whole message, signed as Standard Webhooks, also after a rotation', async () => {
    const endpoint = await startEndpoint(() => 200);
    const added = await webhooks('add', endpoint.url, '--types', 'message.*', '--contact', 'ann');
    const [id, secret] = [idOf(added), secretOf(added)];
    const message = await sendFrom('ann', 'bob', 'Hello, partner!');
    await waitUntil(() => endpoint.received.length > 0);
    const [first] = endpoint.received;
    if (!first) throw new Error('nothing received');
    expect(first.headers['webhook-id']).toBe(`${message.id}-1`);
    expect(verify(secret, first)).toMatchObject({
      id: `${message.id}-1`,
      type: 'message.created',
      version: 1,
      payload: { id: message.id, message: 'Hello, partner!' },
    });

    const rotated = await webhooks('rotate', id);
    const other = secretOf(rotated);
    expect([other === secret, secret === '', other === '']).toEqual([false, false, false]);
    const reply = await webhooks('test', id);
    expect(reply).toContain('The endpoint answered 200.\nThanks');
    const last = endpoint.received.at(-1);
    if (!last) throw new Error('nothing received');
    for (const key of [secret, other]) expect(verify(key, last).type).toBe('webhook.test');
    expect(await webhooks('show', id)).not.toContain('whsec_');
    await webhooks('remove', id, '--yes');
    expect(await webhooks('list')).not.toContain(id);
    expect(lines.join('\n')).not.toContain('Hello, partner!');
    expect(lines.join('\n')).not.toContain(secret);
  });

  test('that fails once receives the same bytes again', async () => {
    const endpoint = await startEndpoint(() => (endpoint.received.length === 1 ? 500 : 204));
    const added = await webhooks(
      'add',
      endpoint.url,
      '--types',
      'message.created',
      '--contact',
      'cleo',
    );
    await sendFrom('cleo', 'bob', 'Again');
    await waitUntil(() => endpoint.received.length >= 2);
    const [first, second] = endpoint.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await webhooks('remove', idOf(added), '--yes');
  });

  test('that answers 410 is disabled, and receives what it missed by a replay, as it is then', async () => {
    let status = 410;
    const endpoint = await startEndpoint(() => status);
    const added = await webhooks(
      'add',
      endpoint.url,
      '--types',
      'message.created',
      '--contact',
      'dora',
    );
    const id = idOf(added);
    const client = await clientOf('dora');
    const message = await sendFrom('dora', 'bob', 'To be deleted');
    const letters = () =>
      [...cloud.queues].find(([name]) => name.startsWith('WebhookDeadLetters'))?.[1] ?? [];
    await waitUntil(() => letters().length === 1);
    expect(await webhooks('list')).toContain(`${id}  disabled`);
    expect(JSON.stringify(letters())).not.toContain('To be deleted');
    await client.messages.delete({ message_id: message.id });
    status = 200;
    await webhooks('enable', id);
    expect(await webhooks('replay', id)).toContain('Events queued again: 1');
    await waitUntil(() => endpoint.received.length === 2);
    const replayed = endpoint.received[1];
    if (!replayed) throw new Error('nothing received');
    expect(verify(secretOf(added), replayed)).toMatchObject({
      type: 'message.created',
      payload: { id: message.id, deleted: true },
    });
    await webhooks('remove', id, '--yes');
  });

  test('with a URL that is not of this machine is refused', async () => {
    expect(await webhooks('add', 'https://example.com/hooks')).toContain(
      'The URL must begin with http://127.0.0.1, because this is the local cloud.',
    );
  });
});
