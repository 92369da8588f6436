import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ObjectStore, openObjectStore } from '../../../local-cloud/objects/object-store.ts';
import { temporaryFolder } from '../small-stack.ts';

describe('An object in the local S3', () => {
  let store: ObjectStore;

  beforeAll(async () => {
    store = await openObjectStore(temporaryFolder());
  });

  async function add(key: string) {
    const path = store.createFile();
    await writeFile(path, 'hello');
    await store.add(key, { size: 5, type: 'a/b', sha256: '', tags: 'a=b', modifiedAt: 1 }, path);
  }

  test('that is removed before it is read returns no bytes', async () => {
    await add('read');
    const found = await store.find('read');
    await store.remove('read');
    expect(found && (await store.read(found))).toBeUndefined();
  });

  test('stays removed if it is changed concurrently', async () => {
    await add('changed');
    await Promise.all([
      store.change('changed', { isScanned: true }),
      store.remove('changed'),
      store.change('changed', { tags: '' }),
    ]);
    expect([await store.find('changed'), await store.list('')]).toEqual([undefined, []]);
  });
});
