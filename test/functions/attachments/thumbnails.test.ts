import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { retrieveAttachment } from '../../../shared/contract/operations.ts';
import { resizeImage } from '../../../shared/thumbnails/resize-image.ts';
import { createBomb, createPhoto, createPng } from '../../support/files/test-images.ts';
import { getFiles, getObjectStore, upload } from '../../support/files/use-file-server.ts';
import { create, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { captureLogLines } from '../../support/handlers/capture-log-lines.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve } from '../../support/people/callers.ts';
import { recordScanOf } from '../../support/workers/scan-worker.ts';
import {
  makeThumbnailOf,
  runThumbnailWorker,
  toObjectKey,
  uploadImage,
} from '../../support/workers/thumbnail-worker.ts';
import '../../support/setup/use-table.ts';

let conversation: string;

beforeEach(async () => {
  conversation = (await create(ann, { contact_id: 'bob' })).id;
});

const retrieve = (as: typeof ann, attachment_id: string, query: Record<string, string> = {}) =>
  request(retrieveAttachment, { as, path: { attachment_id }, query: { size: '320', ...query } });

async function download(as: typeof ann, id: string) {
  const response = await fetch((await retrieve(as, id)).headers.Location ?? '');
  return {
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const findTags = async (id: string) =>
  (await getObjectStore().find(toObjectKey('thumbnails', id)))?.tags;

describe('The thumbnail of an image', () => {
  test('fits into 320 × 320 pixels, is upright, and has no metadata', async () => {
    const photo = await createPhoto();
    expect(await sharp(photo).metadata()).toMatchObject({
      orientation: 6,
      exif: expect.anything(),
    });
    const id = await uploadImage(ann, conversation, photo, 'image/jpeg');
    await makeThumbnailOf(id);
    const { type, disposition, bytes } = await download(ann, id);
    expect(type).toBe('image/webp');
    expect(disposition).toBe("inline; filename*=UTF-8''note.txt.webp");
    const { exif, xmp, iptc, icc, orientation, ...facts } = await sharp(bytes).metadata();
    expect(facts).toMatchObject({ format: 'webp', width: 240, height: 320 });
    expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  });

  test('is not larger than the image', async () => {
    const id = await uploadImage(ann, conversation, await createPng(40, 30));
    await makeThumbnailOf(id);
    expect(await sharp((await download(ann, id)).bytes).metadata()).toMatchObject({
      width: 40,
      height: 30,
    });
  });

  test.each(['avif', 'gif', 'jpeg', 'webp'] as const)(
    'is a WebP file 320 pixels wide for a large image of type %s',
    async (format) => {
      const image = await sharp(await createPng(640, 640))
        .toFormat(format)
        .toBuffer();
      const id = await uploadImage(ann, conversation, image, `image/${format}`);
      await makeThumbnailOf(id);
      expect(await sharp((await download(ann, id)).bytes).metadata()).toMatchObject({
        format: 'webp',
        width: 320,
      });
    },
  );

  test('has the same access rules as the image', async () => {
    const id = await uploadImage(ann, conversation, await createPng(640, 640));
    await makeThumbnailOf(id);
    expect((await retrieve(ann, id)).status).toBe(302);
    expect((await retrieve(bob, id)).status).toBe(404);
    const sent = await send(ann, conversation, 'Look', { attachments: [{ id }] });
    expect((await retrieve(bob, id, { redirect: 'false' })).status).toBe(200);
    expect((await retrieve(eve, id)).status).toBe(404);
    await recordScanOf(id, 'THREATS_FOUND');
    expect((await retrieve(bob, id)).status).toBe(410);
    await removeMessage(ann, sent.id);
    expect((await retrieve(bob, id)).status).toBe(404);
  });

  test('is the image itself until the worker has made the thumbnail', async () => {
    const image = await createPng(640, 640);
    const id = await uploadImage(ann, conversation, image);
    expect(await download(ann, id)).toMatchObject({ type: 'image/png', bytes: image });
  });
});

test('Downloading with a size returns 400 for a file that is not an image, and for any size except 320', async () => {
  const id = await upload(ann, conversation);
  const { status, body } = await retrieve(ann, id);
  expect([status, body]).toMatchObject([
    400,
    {
      code: 'parameter_invalid',
      param: 'size',
      message: expect.stringContaining('png'),
    },
  ]);
  const image = await uploadImage(ann, conversation, await createPng(1, 1));
  for (const size of ['0', '319', '321', '320.5', 'x', '']) {
    expect(await retrieve(ann, image, { size })).toMatchObject({
      status: 400,
      body: { param: 'size', message: expect.stringContaining('must be 320') },
    });
  }
});

describe('The thumbnail worker', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';
  const refused: [string, () => Promise<Buffer> | Buffer, string][] = [
    [
      'an image of more than 50 million pixels',
      () => createBomb(7_072, 7_071),
      'exceeds pixel limit',
    ],
    ['SVG content', () => Buffer.from(svg), 'unsupported image format'],
    ['content that is not an image', () => Buffer.from('Hello'), 'unsupported image format'],
    ['a truncated image', async () => (await createPng(99, 99)).subarray(0, 99), 'rror'],
  ];

  test.each(refused)('refuses %s and stores no thumbnail', async (_, createBytes, refusal) => {
    const bytes = await createBytes();
    const id = await uploadImage(ann, conversation, bytes);
    const lines = await captureLogLines(() => makeThumbnailOf(id));
    expect(lines).toMatchObject([{ refusal: expect.stringContaining(refusal) }]);
    expect(await getFiles()).not.toContain(toObjectKey('thumbnails', id));
    expect((await download(ann, id)).bytes).toEqual(bytes);
  });

  test('kills the resizing process when its time limit expires', async () => {
    const folder = process.env.LAMBDA_TASK_ROOT;
    const directory = await mkdtemp(join(tmpdir(), 'endless-'));
    await writeFile(join(directory, 'resize.js'), 'setInterval(() => {}, 1000);');
    process.env.LAMBDA_TASK_ROOT = directory;
    const resized = await resizeImage(await createPng(99, 99), 1);
    process.env.LAMBDA_TASK_ROOT = folder;
    await rm(directory, { recursive: true });
    expect(resized).toEqual({ refusal: 'SIGKILL' });
  });

  test('fails if the resizing process cannot start, so that Lambda retries the event', async () => {
    const id = await uploadImage(ann, conversation, await createPng(99, 99));
    const folder = process.env.LAMBDA_TASK_ROOT;
    process.env.LAMBDA_TASK_ROOT = '/nowhere';
    await expect(makeThumbnailOf(id)).rejects.toThrow('Images cannot be resized');
    process.env.LAMBDA_TASK_ROOT = folder;
  });

  test('ignores files that are not images and objects that are not uploads, and fails on malformed events', async () => {
    const id = await upload(ann, conversation);
    const key = toObjectKey('files', id);
    for (const object of [key, 'files/x', 'thumbnails/x', 'other']) {
      const event = { detail: { object: { key: object } } };
      const lines = await captureLogLines(() => runThumbnailWorker(event));
      expect(lines).toMatchObject([{ operation: 'thumbnails', ignored: 1 }]);
    }
    await expect(runThumbnailWorker({ detail: {} })).rejects.toThrow();
  });

  test('makes the thumbnail again for a repeated event', async () => {
    const id = await uploadImage(ann, conversation, await createPng(640, 640));
    for (let n = 0; n < 2; n++) {
      const lines = await captureLogLines(() => makeThumbnailOf(id));
      expect(lines).toMatchObject([{ made: 1 }]);
    }
  });

  test('tags a thumbnail as pending only while its image is unsent', async () => {
    const [early, late, unsent] = [
      await uploadImage(ann, conversation, await createPng(640, 640)),
      await uploadImage(ann, conversation, await createPng(640, 640)),
      await uploadImage(ann, conversation, await createPng(640, 640)),
    ];
    for (const id of [early, unsent]) await makeThumbnailOf(id);
    expect(await findTags(early)).toBe('state=pending');
    await send(ann, conversation, '', { attachments: [{ id: early }, { id: late }] });
    await makeThumbnailOf(late);
    expect(await Promise.all([early, late, unsent].map(findTags))).toEqual([
      '',
      '',
      'state=pending',
    ]);
  });
});
