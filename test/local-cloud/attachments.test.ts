import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createClient } from '../../client/src/index.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { createPng } from '../support/files/test-images.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

let cloud: Cloud;

beforeAll(async () => {
  const assembly = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    // The deployed batching windows would slow the test down.
    if (
      Type === 'AWS::Lambda::EventSourceMapping' &&
      'MaximumBatchingWindowInSeconds' in Properties
    )
      Properties.MaximumBatchingWindowInSeconds = 1;
  }
  cloud = await startTestCloud({ assembly });
});
afterAll(() => cloud.stop());

test('A sent image gets a thumbnail, and deleting the message removes the image and the thumbnail', async () => {
  const client = createClient({ url: cloud.url, token: () => cloud.token('ann') });
  const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
  const file = new Blob([new Uint8Array(await createPng(800, 600))], { type: 'image/png' });
  const { id } = await client.attachments.upload(file, { conversation_id, name: 'a.png' });
  const attachments = [{ id }];
  const sent = await client.messages.send({ conversation_id, message: '', attachments });
  const { url } = await client.attachments.retrieve({ attachment_id: id });
  expect((await (await fetch(url)).blob()).size).toBe(file.size);
  let thumbnail = '';
  await waitUntil(async () => {
    thumbnail = (await client.attachments.retrieve({ attachment_id: id, size: 320 })).url;
    return thumbnail.includes('/thumbnails/');
  });
  const { format, width } = await sharp(await (await fetch(thumbnail)).arrayBuffer()).metadata();
  expect([format, width]).toEqual(['webp', 320]);
  await client.messages.delete({ message_id: sent.id });
  for (const removed of [url, thumbnail]) {
    await waitUntil(async () => (await fetch(removed)).status === 404);
  }
});

test('Retrieving an attachment returns a 302 redirect to its file', async () => {
  const client = createClient({ url: cloud.url, token: () => cloud.token('ann') });
  const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
  const file = new Blob(['Hello'], { type: 'text/plain' });
  const { id } = await client.attachments.upload(file, { conversation_id, name: 'a.txt' });
  const reply = await fetch(`${cloud.url}/v1/attachments/${id}`, {
    headers: { Authorization: `Bearer ${await cloud.token('ann')}` },
    redirect: 'manual',
  });
  expect([reply.status, reply.headers.get('location')]).toEqual([
    302,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
  ]);
});

test('A file with the EICAR test pattern is reported as infected and cannot be downloaded, while another file is reported as clean', async () => {
  const client = createClient({ url: cloud.url, token: () => cloud.token('ann') });
  const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
  const pattern = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];
  const texts = [pattern.join(''), 'Hello'];
  const attachments = [];
  for (const text of texts) {
    const file = new Blob([text], { type: 'text/plain' });
    attachments.push(await client.attachments.upload(file, { conversation_id, name: 'a.txt' }));
  }
  const sent = await client.messages.send({ conversation_id, message: '', attachments });
  expect(sent.attachments.map(({ status }) => status)).toEqual(['infected', 'clean']);
  const [infected = { id: '' }] = attachments;
  await expect(client.attachments.retrieve({ attachment_id: infected.id })).rejects.toMatchObject({
    status: 410,
    code: 'infected',
  });
});
