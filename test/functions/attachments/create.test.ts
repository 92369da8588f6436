import { describe, expect, test } from '@jest/globals';
import { createAttachment } from '../../../shared/contract/operations.ts';
import { uploadLimits } from '../../../shared/contract/schema/upload-limits.ts';
import {
  describeFile,
  getFiles,
  getObjectStore,
  putFile,
} from '../../support/files/use-file-server.ts';
import { block, create } from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const direct = async () => (await create(ann, { contact_id: 'bob' })).id;

describe('Creating an attachment', () => {
  test('returns an upload URL that accepts only the described bytes, and only once', async () => {
    const file = describeFile(await direct(), 'Hello');
    const { status, body } = await request(createAttachment, { as: ann, body: file });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9A-Z]{52}$/),
        name: 'note.txt',
        type: 'text/plain',
        size: 5,
        url: expect.stringMatching(/^\/v1\/attachments\//),
        status: 'awaiting',
        upload: {
          method: 'PUT',
          url: expect.any(String),
          headers: {
            'content-type': 'text/plain',
            'if-none-match': '*',
            'x-amz-checksum-sha256': file.sha256,
            'x-amz-tagging': 'state=pending',
          },
          expires_at: expect.any(Number),
        },
      },
    });
    const created = await ok(createAttachment, { as: ann, body: file });
    const key = `files/${created.id.slice(0, 26)}/${created.id.slice(26)}`;
    for (const wrong of ['Jello', 'Hell', 'Hello!']) {
      expect(await putFile(created, wrong)).toBeGreaterThanOrEqual(400);
    }
    expect(await getFiles()).not.toContain(key);
    expect(await putFile(created, 'Hello')).toBe(200);
    expect(await putFile(created, 'Hello')).toBe(412);
    expect(await getObjectStore().find(key)).toMatchObject({ size: 5, tags: 'state=pending' });
  });

  test('twice with the same Idempotency-Key creates one attachment with a working upload URL', async () => {
    const body = describeFile(await direct(), 'Once');
    const call = { as: ann, body, headers: { 'Idempotency-Key': 'upload-1' } };
    const first = await ok(createAttachment, call);
    const again = await ok(createAttachment, call);
    expect(again.id).toBe(first.id);
    expect(await putFile(again, 'Once')).toBe(200);
  });

  test('returns 404 to a non-participant or for an unknown conversation, and 403 to a blocked user', async () => {
    const conversation = await direct();
    const as = eve;
    const hidden = { status: 404, code: 'not_found', param: 'conversation_id' };
    expect(
      await refused(createAttachment, { as, body: describeFile(conversation, 'Hello') }),
    ).toMatchObject(hidden);
    expect(
      await refused(createAttachment, { as: ann, body: describeFile('0'.repeat(26), 'Hello') }),
    ).toMatchObject(hidden);
    const [carol, dave] = [person('carol'), person('dave')];
    const { id } = await create(carol, { contact_id: 'dave' });
    await block(carol, 'dave');
    expect(
      await refused(createAttachment, { as: dave, body: describeFile(id, 'Hello') }),
    ).toMatchObject({ status: 403, code: 'blocked' });
  });

  test.each([
    ['size', 0],
    ['size', uploadLimits.fileBytes + 1],
    ['type', 'text'],
    ['type', 'text/html; charset=utf-8'],
    ['type', 'Text/HTML'],
    ['name', ''],
    ['name', 'a/b.txt'],
    ['name', 'a\nb.txt'],
    ['sha256', 'abc'],
    ['sha256', '0'.repeat(64)],
  ])('with %s %j returns 400', async (param, value) => {
    const body = { ...describeFile(await direct(), 'Hello'), [param]: value };
    expect(await refused(createAttachment, { as: ann, body })).toMatchObject({
      status: 400,
      param,
    });
  });

  test('of a type that the stage does not accept returns 400', async () => {
    const conversation = await direct();
    process.env.FILE_TYPES = 'image/*,application/pdf';
    const requestUpload = (type: string) =>
      request(createAttachment, {
        as: ann,
        body: { ...describeFile(conversation, 'Hello'), type },
      });
    const statuses = [];
    for (const type of ['image/png', 'application/pdf', 'application/zip', 'text/plain']) {
      statuses.push((await requestUpload(type)).status);
    }
    delete process.env.FILE_TYPES;
    expect(statuses).toEqual([201, 201, 400, 400]);
  });

  test('is limited to 1 GB per person per day', async () => {
    const uploader = person('uploader');
    const { id } = await create(uploader, { contact_id: 'bob' });
    const body = { ...describeFile(id, 'Hello'), size: uploadLimits.fileBytes };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      statuses.push((await request(createAttachment, { as: uploader, body })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(201), 422]);
    const rest = uploadLimits.bytesPerDay - 10 * uploadLimits.fileBytes;
    const requestUpload = (size: number) =>
      request(createAttachment, { as: uploader, body: { ...body, size } });
    expect((await requestUpload(rest + 1)).status).toBe(422);
    expect((await requestUpload(rest - uploadLimits.minCountedBytes)).status).toBe(201);
    // Each file counts as at least `minCountedBytes`.
    expect((await requestUpload(1)).status).toBe(201);
    expect((await requestUpload(1)).status).toBe(422);
    expect((await request(createAttachment, { as: bob, body })).status).toBe(201);
  });
});
