import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { services } from '../../../shared/signing/send-signed.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import { listOrders, runInOrder } from '../../support/files/run-in-order.ts';
import { createPng } from '../../support/files/test-images.ts';
import { getFiles, getObjectStore } from '../../support/files/use-file-server.ts';
import { create, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { purgeKey } from '../../support/workers/purge-worker.ts';
import {
  makeThumbnailOf,
  toObjectKey,
  uploadImage,
} from '../../support/workers/thumbnail-worker.ts';
import '../../support/setup/use-table.ts';

/** Every order of the thumbnail worker's five S3 calls and another function's two S3 calls. */
const orders = listOrders(5, 2);
let image: Buffer;

beforeAll(async () => {
  image = await createPng(400, 400);
});
beforeEach(() => {
  createVirtualClock();
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function createUpload() {
  const { id } = await create(ann, { contact_id: 'bob' });
  return { id, file: await uploadImage(ann, id, image) };
}

const findThumbnail = (file: string) => getObjectStore().find(toObjectKey('thumbnails', file));

describe('In every order of concurrent S3 calls,', () => {
  test('no object remains if a deleted message’s files are removed while the worker makes the thumbnail', async () => {
    for (const order of orders) {
      const { id, file } = await createUpload();
      const { id: message } = await send(ann, id, '', { attachments: [{ id: file }] });
      await removeMessage(ann, message);
      await runInOrder(order, {
        first: () => makeThumbnailOf(file),
        second: () => purgeKey(messageKey(id, 1)),
      });
      const left = (await getFiles()).filter((key) => key.includes(id));
      expect([order, left]).toEqual([order, []]);
    }
  });

  test('a thumbnail is retained if its image is sent while the worker makes the thumbnail', async () => {
    for (const order of orders) {
      const { id, file } = await createUpload();
      await runInOrder(order, {
        first: () => makeThumbnailOf(file),
        second: () => send(ann, id, '', { attachments: [{ id: file }] }),
      });
      expect([order, (await findThumbnail(file))?.tags]).toEqual([order, '']);
    }
  });
});

test('After the thumbnail worker crashes at any S3 call, the removal of the message and the worker’s next attempt leave no object', async () => {
  const { transport } = services;
  for (let step = 1; step <= 5; step++) {
    for (const isLate of [false, true]) {
      const { id, file } = await createUpload();
      const { id: message } = await send(ann, id, '', { attachments: [{ id: file }] });
      let calls = 0;
      const spy = jest.spyOn(services, 'transport').mockImplementation(async (...args) => {
        calls += 1;
        if (calls < step) return transport(...args);
        if (calls === step && isLate) await transport(...args);
        throw new Error('The process was killed.');
      });
      await makeThumbnailOf(file).catch(() => {});
      spy.mockRestore();
      await removeMessage(ann, message);
      expect(await purgeKey(messageKey(id, 1))).toEqual([]);
      await makeThumbnailOf(file);
      expect((await getFiles()).filter((key) => key.includes(id))).toEqual([]);
    }
  }
});
