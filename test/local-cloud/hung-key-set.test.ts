import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { env } from '../../shared/env.ts';

describe('While the issuer’s key set', () => {
  let cloud: Cloud;
  let dataDirectory: string;
  let keyServer: Server;
  let close: () => Promise<void>;
  let answer: (response: ServerResponse) => void;
  let dripping: NodeJS.Timeout;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-keys-'));
    keyServer = createServer((_, response) => answer(response));
    const listening = await listen(keyServer, 0);
    close = listening.close;
    const assembly = await readAssembly(env('TEST_ASSEMBLY'));
    const keysUrl = `http://127.0.0.1:${listening.port}/`;
    cloud = await startCloud({ port: 0, inMemory: true, dataDirectory, assembly, keysUrl });
  });
  afterAll(async () => {
    clearInterval(dripping);
    await close();
    await cloud.stop();
    await rm(dataDirectory, { recursive: true });
  });

  const retrieve = async () => {
    const headers = { Authorization: `Bearer ${await cloud.token('ann')}` };
    const response = await fetch(`${cloud.url}/v1/conversations/none`, { headers });
    const { code } = v.parse(ErrorReply, await response.json());
    return { status: response.status, code, retryAfter: response.headers.get('Retry-After') };
  };

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not answer', () => {}],
    ['stops within its answer', (response) => response.write('{"keys":[')],
    [
      'drips',
      (response) => {
        dripping = setInterval(() => response.write(' '), 100);
      },
    ],
  ])('%s, the client is asked in time to retry', async (_, trouble) => {
    answer = trouble;
    expect(await retrieve()).toEqual({ status: 503, code: 'unavailable', retryAfter: '1' });
  });

  test('is back, requests succeed again', async () => {
    const { keySet } = await openLocalIssuer(dataDirectory);
    answer = (response) => response.end(JSON.stringify(keySet));
    expect(await retrieve()).toEqual({ status: 404, code: 'not_found', retryAfter: null });
  });
});
