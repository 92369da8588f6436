import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { type Issuer, openLocalIssuer } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

/** Opens the issuer with a separate key, which acts as a rotated key or an attacker's key. */
const issuerWithKey = async (folder: string, name: string): Promise<Issuer> =>
  openLocalIssuer(join(folder, name));

describe('While the issuer rotates its keys', () => {
  let cloud: Cloud;
  let dataDirectory: string;
  let keyServer: Server;
  let close: () => Promise<void>;
  let old: Issuer;
  const published: Issuer['keySet']['keys'] = [];

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-keys-'));
    old = await issuerWithKey(dataDirectory, 'old');
    published.push(...old.keySet.keys);
    keyServer = createServer((_, response) => response.end(JSON.stringify({ keys: published })));
    const listening = await listen(keyServer, 0);
    close = listening.close;
    const keysUrl = `http://127.0.0.1:${listening.port}/`;
    cloud = await startTestCloud({ dataDirectory, keysUrl });
  });
  afterAll(async () => {
    await close();
    await cloud.stop();
  });

  async function retrieve(token: string) {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${cloud.url}/v1/conversations/none`, { headers });
    const { code } = v.parse(ErrorReply, await response.json());
    return { status: response.status, code, retryAfter: response.headers.get('Retry-After') };
  }
  const accepted = { status: 404, code: 'not_found', retryAfter: null };
  const retryableError = { status: 503, code: 'unavailable', retryAfter: '1' };
  const denied = { status: 401, code: 'token_invalid', retryAfter: null };

  test('a token signed with the new key is accepted or gets a retryable error, even while forged tokens arrive', async () => {
    const next = await issuerWithKey(dataDirectory, 'next');
    const forger = await issuerWithKey(dataDirectory, 'stranger');
    expect(await retrieve(await old.token('ann'))).toEqual(accepted);

    let isForging = true;
    const forgedReplies = [1, 2].map(async () => {
      const replies = [];
      while (isForging) replies.push(await retrieve(await forger.token('ann')));
      return replies;
    });
    published.push(...next.keySet.keys);
    const token = await next.token('ann');
    const replies = [await retrieve(token)];
    while (replies.at(-1)?.status === 503) replies.push(await retrieve(token));
    isForging = false;

    expect(replies.at(-1)).toEqual(accepted);
    expect(replies.slice(0, -1)).toEqual(replies.slice(0, -1).map(() => retryableError));
    for (const reply of (await Promise.all(forgedReplies)).flat()) {
      expect([denied, retryableError]).toContainEqual(reply);
    }
    expect(await retrieve(await old.token('ann'))).toEqual(accepted);
  });

  test('a retryable error is not cached for the token', async () => {
    const late = await issuerWithKey(dataDirectory, 'late');
    let token: string;
    do token = await late.token('ann');
    while ((await retrieve(token)).status !== 503);
    published.push(...late.keySet.keys);
    let reply: Awaited<ReturnType<typeof retrieve>>;
    do reply = await retrieve(token);
    while (reply.status === 503);
    expect(reply).toEqual(accepted);
  });
});
