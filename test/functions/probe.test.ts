import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { handler } from '../../functions/probe.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { audience, issuer } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

const accepted = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience };

describe('The unauthenticated probe that runs every few minutes', () => {
  let cloud: Cloud;
  let closeKeys: () => Promise<void>;
  let keysAsked = 0;

  beforeAll(async () => {
    const keys = createServer((_, response) => {
      keysAsked += 1;
      response.end('{"keys":[]}');
    });
    const { port, close } = await listen(keys, 0);
    closeKeys = close;
    const keysUrl = `http://127.0.0.1:${port}/`;
    cloud = await startTestCloud({ keysUrl });
    Object.assign(process.env, accepted, { API_URL: cloud.url });
  });
  afterAll(async () => {
    await closeKeys();
    await cloud.stop();
  });

  test('reports the API as healthy if it rejects the request as expected, and requests the issuer’s keys', async () => {
    await expect(handler()).resolves.toBeUndefined();
    expect(keysAsked).toBeGreaterThan(0);
  });
});

describe('The probe reports the API as unhealthy if it', () => {
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

  test('does not respond, and only then', async () => {
    answer = reply(401, right);
    await expect(handler()).resolves.toBeUndefined();
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['accepts an unauthenticated request', reply(200, { data: [] })],
    ['fails', reply(503, { ...right, code: 'unavailable' })],
    ['responds with the right body and another status', reply(503, right)],
    ['responds with an AWS error message', reply(401, { message: 'Unauthorized' })],
    ['responds with another error code', reply(401, { ...right, code: 'token_missing' })],
    ['responds without a request id', reply(401, right, { 'WWW-Authenticate': 'Bearer' })],
    ['responds without an authentication scheme', reply(401, right, { 'Request-Id': '1' })],
    [
      'responds with another authentication scheme',
      reply(401, right, { 'Request-Id': '1', 'WWW-Authenticate': 'Like Bearer' }),
    ],
    ['talks nonsense', (response) => response.end('<html>')],
    ['hangs up', (response) => response.destroy()],
  ])('%s', async (_, wrong) => {
    answer = wrong;
    await expect(handler()).rejects.toThrow();
  });
});
