import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createClient } from '../../client/src/index.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

let cloud: Cloud;

beforeAll(async () => {
  const assembly = await readAssembly(env('TEST_ASSEMBLY'));
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    // Without the worker's batching window.
    if (Type === 'AWS::Lambda::EventSourceMapping') Properties.MaximumBatchingWindowInSeconds = 1;
  }
  cloud = await startTestCloud({ assembly });
});
afterAll(() => cloud.stop());

test('Deleting a message removes its file from the local S3', async () => {
  const client = createClient({ url: cloud.url, token: () => cloud.token('ann') });
  const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
  const file = new Blob(['Hello'], { type: 'text/plain' });
  const { id } = await client.attachments.upload(file, { conversation_id, name: 'a.txt' });
  const attachments = [{ id }];
  const sent = await client.messages.send({ conversation_id, message: '', attachments });
  const { url } = await client.attachments.retrieve({ attachment_id: id });
  expect(await (await fetch(url)).text()).toBe('Hello');
  await client.messages.delete({ message_id: sent.id });
  await waitUntil(async () => (await fetch(url)).status === 403);
});

test('The gateway forwards the redirect to the file', async () => {
  const token = await cloud.token('ann');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: object) =>
    v.parse(
      v.object({ id: v.string() }),
      await (
        await fetch(`${cloud.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json(),
    );
  const { id } = await post('/v1/conversations', { contact_id: 'bob' });
  const created = await post('/v1/attachments', {
    ...{ conversation_id: id, name: 'a.txt', type: 'text/plain', size: 1 },
    sha256: '0'.repeat(43).concat('='),
  });
  const reply = await fetch(`${cloud.url}/v1/attachments/${created.id}`, {
    headers,
    redirect: 'manual',
  });
  expect([reply.status, reply.headers.get('location')]).toEqual([
    302,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
  ]);
});
