import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { ErrorReply, getErrorMessage } from '../../shared/contract/errors.ts';
import { retrieveConversation } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';

/** Code that replaces an operation's bundle. The conversation id selects the failure. */
const accidents = `
exports.handler = async ({ pathParameters: { conversation_id: accident } }) => {
  if (accident === 'throws') throw new Error('secret cause');
  if (accident === 'exits') process.exit(1);
  if (accident === 'hangs') await new Promise(() => setInterval(() => {}, 1000));
  if (accident === 'spins') for (;;);
  if (accident === 'fills-memory') for (const all = []; ; ) all.push(new Array(1000).fill(0));
  if (accident === 'returns-text') return 'nonsense';
  return { statusCode: 200, body: 'fine' };
};`;

const Code = v.object({ Description: v.string(), Code: v.object({ S3Key: v.string() }) });

describe('A function that fails', () => {
  let cloud: Cloud;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'messaging-crash-'));
    await cp(env('TEST_ASSEMBLY'), directory, { recursive: true });
    const assembly = raiseTimeouts(await readAssembly(directory));
    for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const definition = v.parse(Code, Properties);
      if (!definition.Description.startsWith(`${retrieveConversation.id}:`)) continue;
      // This timeout is shorter than the deployed one, but longer than any normal invocation on a
      // busy machine.
      Object.assign(Properties, { Timeout: 4, MemorySize: 128 });
      const asset = `asset.${definition.Code.S3Key.replace('.zip', '')}`;
      await writeFile(join(directory, asset, 'index.js'), accidents);
    }
    cloud = await startCloud({
      port: 0,
      inMemory: true,
      dataDirectory: join(directory, 'data'),
      assembly,
    });
  });
  afterAll(async () => {
    await cloud.stop();
    await rm(directory, { recursive: true });
  });

  const retrieve = async (id: string) =>
    fetch(`${cloud.url}/v1/conversations/${id}`, {
      headers: { Authorization: `Bearer ${await cloud.token('ann')}` },
    });

  // To save time, requests that exceed the timeout run concurrently.
  test.each([
    [['throws']],
    [['exits']],
    [['hangs', 'spins']],
    [['fills-memory']],
    [['returns-text']],
  ])(
    'causes a 502 in the API’s error format, and the next request succeeds (%s)',
    async (concurrent) => {
      for (const response of await Promise.all(concurrent.map(retrieve))) {
        expect(response.status).toBe(502);
        expect(v.parse(ErrorReply, await response.json())).toEqual({
          type: 'api_error',
          code: 'internal_error',
          message: getErrorMessage('internal_error'),
          param: null,
          request_id: response.headers.get('Request-Id'),
          documentation_url: `${cloud.url}/docs/errors#internal_error`,
        });
      }
      expect(await (await retrieve('well')).text()).toBe('fine');
    },
  );
});
