import { describe, expect, test } from '@jest/globals';
import {
  createAttachment,
  sendMessage,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { describeFile, getObjectStore, upload } from '../../support/files/use-file-server.ts';
import { create, edit, getMessage, send } from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const direct = async () => (await create(ann, { contact_id: 'bob' })).id;
const link = { name: 'menu.pdf', url: 'https://files.example.com/menu.pdf', id: 7 };
const toShown = (id: string) => ({
  id,
  name: 'note.txt',
  type: 'text/plain',
  size: 5,
  url: `/v1/attachments/${id}`,
  status: 'unscanned',
});
const sendRefused = (as: typeof ann, conversation_id: string, ...ids: string[]) => {
  const attachments = ids.map((id) => ({ id }));
  return refused(sendMessage, { as, body: { conversation_id, message: '', attachments } });
};
const unusable = { status: 400, code: 'parameter_invalid', param: 'attachments' };

describe('Sending an attachment', () => {
  test('returns the stored fields of an upload and the unchanged fields of a link, and removes the pending tag of the file', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const sent = await send(ann, id, '', { attachments: [link, { id: file, name: 'forged' }] });
    expect(sent.attachments).toEqual([link, toShown(file)]);
    expect((await getMessage(bob, sent.id)).attachments).toEqual([link, toShown(file)]);
    expect(await getObjectStore().find(`files/${id}/${file.slice(26)}`)).toMatchObject({
      tags: '',
    });
  });

  test('succeeds for ten attachments in one message and retains their order, with or without an Idempotency-Key', async () => {
    const id = await direct();
    for (const headers of [{}, { 'Idempotency-Key': `ten-${id}` }]) {
      const files: string[] = [];
      for (let n = 0; n < 10; n++) files.push(await upload(ann, id));
      const attachments = files.map((file) => ({ id: file }));
      const body = { conversation_id: id, message: 'x'.repeat(900), attachments };
      const sent = await ok(sendMessage, { as: ann, body, headers });
      expect(sent.attachments).toEqual(files.map(toShown));
    }
  });

  test('retains its stored fields if the message text has 3,000 characters', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const sent = await send(ann, id, 'x'.repeat(3000), { attachments: [{ id: file }] });
    expect((await getMessage(bob, sent.id)).attachments).toEqual([toShown(file)]);
  });

  test('twice with the same Idempotency-Key replays the first reply, or returns 409 while the first request is in progress', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const body = { conversation_id: id, message: 'Once', attachments: [{ id: file }] };
    const call = { as: ann, body, headers: { 'Idempotency-Key': `once-${file}` } };
    const [first, duplicate] = await Promise.all([
      request(sendMessage, call),
      request(sendMessage, call),
    ]);
    const again = await ok(sendMessage, call);
    expect(again.attachments).toEqual([toShown(file)]);
    for (const { status, body: shown } of [first, duplicate]) {
      if (status === 409) continue;
      expect(shown).toEqual(again);
    }
  });

  test('twice with the same Idempotency-Key replays the first reply even if a link contains numbers that DynamoDB cannot store', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const link = { name: 'menu.pdf', size: 1e-200, ratio: [1e200, { '': 0.1 }] };
    const body = { conversation_id: id, message: '', attachments: [link, { id: file }] };
    const call = { as: ann, body, headers: { 'Idempotency-Key': `numbers-${file}` } };
    const first = await ok(sendMessage, call);
    expect(first.attachments).toEqual([link, toShown(file)]);
    expect(await ok(sendMessage, call)).toEqual(first);
  });

  test('returns 409 before the file is uploaded, and succeeds afterwards', async () => {
    const id = await direct();
    const created = await ok(createAttachment, { as: ann, body: describeFile(id, 'Hello') });
    expect(await sendRefused(ann, id, created.id)).toMatchObject({
      status: 409,
      code: 'not_uploaded',
    });
    const { method, url, headers } = created.upload;
    await fetch(url, { method, headers, body: 'Hello' });
    expect((await send(ann, id, '', { attachments: [{ id: created.id }] })).attachments).toEqual([
      toShown(created.id),
    ]);
  });

  test('returns 400 if the upload belongs to another user or conversation, is unknown, was already sent, or appears twice in the message', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    expect(await sendRefused(bob, id, file)).toMatchObject(unusable);
    expect(await sendRefused(ann, await direct(), file)).toMatchObject(unusable);
    expect(await sendRefused(ann, id, `${id}${'0'.repeat(26)}`)).toMatchObject(unusable);
    expect(await sendRefused(ann, id, file, file)).toMatchObject(unusable);
    await send(ann, id, '', { attachments: [{ id: file }] });
    expect(await sendRefused(ann, id, file)).toMatchObject(unusable);
  });

  test('in three concurrent messages succeeds once and returns 400 for the other two', async () => {
    const id = await direct();
    const file = await upload(ann, id);
    const body = { conversation_id: id, message: 'One of two', attachments: [{ id: file }] };
    const replies = await Promise.all([1, 2, 3].map(() => request(sendMessage, { as: ann, body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test('is final: edits can change only the text and links of the message', async () => {
    const id = await direct();
    const [file, other] = [await upload(ann, id), await upload(ann, id)];
    const sent = await send(ann, id, 'Look', { attachments: [{ id: file }] });
    const attachment = toShown(file);
    expect((await edit(ann, sent.id, { message: 'Look here' })).attachments).toEqual([attachment]);
    const edited = await edit(ann, sent.id, { attachments: [...sent.attachments, link] });
    expect(edited.attachments).toEqual([attachment, link]);
    expect((await edit(ann, sent.id, { attachments: edited.attachments })).updated_at).toBe(
      edited.updated_at,
    );
    for (const attachments of [
      [],
      null,
      [link],
      [{ id: other }],
      [attachment, { id: other }],
      [attachment, attachment],
    ]) {
      const call = { as: ann, path: { message_id: sent.id }, body: { attachments } };
      expect(await refused(updateMessage, call)).toMatchObject(unusable);
    }
    const plain = await send(ann, id, 'Plain');
    const added = {
      as: ann,
      path: { message_id: plain.id },
      body: { attachments: [{ id: other }] },
    };
    expect(await refused(updateMessage, added)).toMatchObject(unusable);
    expect((await getMessage(person('bob'), sent.id)).attachments).toEqual([attachment, link]);
  });
});
