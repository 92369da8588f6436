import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { createClient } from '../../client/src/index.ts';
import {
  createAttachment,
  createConversation,
  deleteMessage,
  retrieveAttachment,
  retrieveMessage,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { call, fetchFromAllowedOrigin, getError, person, send } from './support/api.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

/** Waits up to two minutes for scan results, which take up to a minute in a deployed stage. */
async function untilScanned(message_id: string): Promise<void> {
  for (let seconds = 0; seconds < 120; seconds++) {
    const { attachments } = await call(bob, retrieveMessage, { path: { message_id } });
    if (attachments.every((one) => one.status !== 'scanning')) return;
    await sleep(1000);
  }
  throw new Error('The files were not scanned within two minutes.');
}

describe('An attachment', () => {
  test('accepts only the declared file, and can be downloaded by participants until its message is deleted', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const text = 'Café Aurora, table for two';
    const file = {
      name: 'booking.txt',
      type: 'text/plain',
      size: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('base64'),
    };
    const created = await call(ann, createAttachment, { body: { conversation_id: id, ...file } });
    const message = { conversation_id: id, message: '', attachments: [{ id: created.id }] };
    const early = await send(ann, sendMessage, { body: message });
    expect([early.status, await getError(sendMessage, early)]).toEqual([
      409,
      { code: 'not_uploaded', param: 'attachments' },
    ]);

    const { method, url, headers } = created.upload;
    const put = (body: string) => fetchFromAllowedOrigin(url, { method, headers, body });
    expect((await put(text.toUpperCase())).ok).toBe(false);
    expect((await put(text)).status).toBe(200);
    expect((await put(text)).status).toBe(412);

    const sent = await call(ann, sendMessage, { body: message });
    const [shown] = sent.attachments;
    const { sha256: _, ...facts } = file;
    const path = { attachment_id: created.id };
    const status = expect.stringMatching(/^(scanning|clean|unscanned)$/);
    expect(shown).toEqual({ ...facts, id: created.id, url: created.url, status });
    await untilScanned(sent.id);
    const link = await call(bob, retrieveAttachment, { path, query: { redirect: 'false' } });
    expect(await (await fetch(link.url)).text()).toBe(text);
    const redirected = await fetchFromAllowedOrigin(
      `${env('API_URL').replace(/\/$/, '')}${shown?.url}`,
      {
        headers: { Authorization: `Bearer ${bob.token}` },
      },
    );
    expect(redirected.headers.get('content-disposition')).toContain('attachment');
    expect(await redirected.text()).toBe(text);
    expect((await send(carol, retrieveAttachment, { path })).status).toBe(404);

    await call(ann, deleteMessage, { path: { message_id: sent.id } });
    expect((await send(bob, retrieveAttachment, { path })).status).toBe(404);
  });

  test('can be uploaded with the client, which reports progress, and is downloaded with its content type', async () => {
    const client = createClient({
      url: env('API_URL'),
      token: ann.token,
      fetch: fetchFromAllowedOrigin,
    });
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const file = new File(['x'.repeat(10_000)], 'x.png', { type: 'image/png' });
    const progress: number[] = [];
    const uploaded = await client.attachments.upload(file, {
      conversation_id: id,
      onProgress: ({ loaded }) => progress.push(loaded),
    });
    expect(progress.at(-1)).toBe(file.size);
    const sent = await client.messages.send({
      conversation_id: id,
      message: 'Look',
      attachments: [{ id: uploaded.id }],
    });
    const read = await call(bob, retrieveMessage, { path: { message_id: sent.id } });
    expect(read.attachments).toMatchObject([{ name: 'x.png', type: 'image/png', size: 10_000 }]);
    await untilScanned(sent.id);
    const { url } = await client.attachments.retrieve({ attachment_id: uploaded.id });
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  });

  test('has a thumbnail if it is an image', async () => {
    const client = createClient({
      url: env('API_URL'),
      token: ann.token,
      fetch: fetchFromAllowedOrigin,
    });
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const image = new PNG({ width: 400, height: 200 });
    const file = new File([new Uint8Array(PNG.sync.write(image))], 'x.png', { type: 'image/png' });
    const uploaded = await client.attachments.upload(file, { conversation_id: id });
    const attachments = [{ id: uploaded.id }];
    const sent = await client.messages.send({ conversation_id: id, message: '', attachments });
    await untilScanned(sent.id);
    for (let seconds = 0; seconds < 60; seconds++) {
      const small = { attachment_id: uploaded.id, size: 320 };
      const { url } = await client.attachments.retrieve(small);
      // Until the thumbnail exists, the URL returns the image itself.
      const response = await fetch(url);
      if (response.headers.get('content-type') === 'image/webp') return;
      expect(response.headers.get('content-type')).toBe('image/png');
      await sleep(1000);
    }
    throw new Error('The image had no thumbnail within a minute.');
  });
});
