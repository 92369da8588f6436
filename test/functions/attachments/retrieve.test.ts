import { describe, expect, test } from '@jest/globals';
import { createAttachment, retrieveAttachment } from '../../../shared/contract/operations.ts';
import { describeFile, putFile, upload } from '../../support/files/use-file-server.ts';
import {
  create,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const retrieve = (as: typeof ann, attachment_id: string) =>
  request(retrieveAttachment, { as, path: { attachment_id } });

async function sentTo(as = ann) {
  const { id } = await create(as, { contact_id: 'bob' });
  const file = await upload(as, id);
  const { id: message } = await send(as, id, 'Look', { attachments: [{ id: file }] });
  return { id, file, message };
}

describe('Downloading an attachment', () => {
  test('redirects to the file, or returns its URL if redirect=false', async () => {
    const { file } = await sentTo();
    const { status, headers, body } = await retrieve(bob, file);
    expect({ status, body }).toEqual({
      status: 302,
      body: { url: headers.Location, expires_at: expect.any(Number) },
    });
    const response = await fetch(headers.Location ?? '');
    expect(await response.text()).toBe('Hello');
    const call = { as: bob, path: { attachment_id: file }, query: { redirect: 'false' } };
    const plain = await request(retrieveAttachment, call);
    expect([plain.status, plain.headers.Location]).toEqual([200, undefined]);
  });

  test.each([
    ['image/png', 'image/png', "inline; filename*=UTF-8''na%C3%AFve%20%27%282%29.x"],
    ['video/mp4', 'video/mp4', 'inline'],
    ['image/svg+xml', 'application/octet-stream', 'attachment'],
    ['text/html', 'application/octet-stream', 'attachment'],
  ])('of type %s returns it as %s with the disposition %s', async (type, served, disposition) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { ...describeFile(id, 'Hello'), type, name: "naïve '(2).x" };
    const created = await ok(createAttachment, { as: ann, body });
    await putFile(created, 'Hello');
    const { headers } = await retrieve(ann, created.id);
    const response = await fetch(headers.Location ?? '');
    expect(response.headers.get('content-type')).toBe(served);
    expect(response.headers.get('content-disposition')).toContain(disposition);
  });

  test('is possible only for the uploader until the attachment is sent', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const file = await upload(ann, id);
    expect((await retrieve(ann, file)).status).toBe(302);
    expect((await retrieve(bob, file)).status).toBe(404);
  });

  test('returns 404 if the caller is not a participant, the id is unknown, or the attachment’s message or conversation was deleted', async () => {
    const first = await sentTo();
    expect((await retrieve(eve, first.file)).status).toBe(404);
    await removeMessage(ann, first.message);
    expect((await retrieve(ann, first.file)).status).toBe(404);
    const second = await sentTo();
    await removeConversation(ann, second.id);
    expect((await retrieve(bob, second.file)).status).toBe(404);
    for (const unknown of ['x', `${second.id}${'0'.repeat(26)}`]) {
      expect((await retrieve(person('ann'), unknown)).status).toBe(404);
    }
  });
});
