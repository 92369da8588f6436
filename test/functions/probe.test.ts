import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { handler } from '../../functions/probe.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { audience, issuer } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import { env } from '../../shared/env.ts';

const accepted = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience };

describe('Asked by a stranger every few minutes', () => {
  let cloud: Cloud;
  let dataDirectory: string;
  let closeKeys: () => Promise<void>;
  let keysAsked = 0;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-probe-'));
    const keys = createServer((_, response) => {
      keysAsked += 1;
      response.end('{"keys":[]}');
    });
    const { port, close } = await listen(keys, 0);
    closeKeys = close;
    const assembly = await readAssembly(env('TEST_ASSEMBLY'));
    const keysUrl = `http://127.0.0.1:${port}/`;
    cloud = await startCloud({ port: 0, inMemory: true, dataDirectory, assembly, keysUrl });
    Object.assign(process.env, accepted, { API_URL: cloud.url });
  });
  afterAll(async () => {
    await closeKeys();
    await cloud.stop();
    await rm(dataDirectory, { recursive: true });
  });

  test('the API is well when it refuses as it should, whose keys it asked for', async () => {
    await expect(handler()).resolves.toBeUndefined();
    expect(keysAsked).toBeGreaterThan(0);
  });
});

describe('It is said that the API is not well when it', () => {
  let answer: (response: ServerResponse) => void;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const listening = await listen(
      createServer((_, response) => answer(response)),
      0,
    );
    close = listening.close;
    Object.assign(process.env, accepted, { API_URL: `http://127.0.0.1:${listening.port}/` });
  });
  afterAll(async () => close());

  const right = {
    type: 'invalid_request',
    code: 'token_invalid',
    message: 'x',
    param: null,
    request_id: '1',
    documentation_url: 'x',
  };
  const headers = { 'Request-Id': '1', 'WWW-Authenticate': 'Bearer' };
  const reply =
    (status: number, body: unknown, more: Record<string, string> = headers) =>
    (response: ServerResponse) =>
      response.writeHead(status, more).end(JSON.stringify(body));

  test('does not, but only then', async () => {
    answer = reply(401, right);
    await expect(handler()).resolves.toBeUndefined();
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['lets strangers in', reply(200, { data: [] })],
    ['fails', reply(503, { ...right, code: 'unavailable' })],
    ['says the right thing with another status', reply(503, right)],
    ['answers in AWS’s words', reply(401, { message: 'Unauthorized' })],
    ['says another reason', reply(401, { ...right, code: 'token_missing' })],
    ['gives no id of the request', reply(401, right, { 'WWW-Authenticate': 'Bearer' })],
    ['does not say what to sign in with', reply(401, right, { 'Request-Id': '1' })],
    [
      'wants another way of signing in',
      reply(401, right, { 'Request-Id': '1', 'WWW-Authenticate': 'Like Bearer' }),
    ],
    ['talks nonsense', (response) => response.end('<html>')],
    ['hangs up', (response) => response.destroy()],
  ])('%s', async (_, wrong) => {
    answer = wrong;
    await expect(handler()).rejects.toThrow();
  });
});
