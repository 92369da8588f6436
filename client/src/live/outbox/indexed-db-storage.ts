import type { OutboxStorage } from './outbox-storage.ts';

const storeName = 'outbox';

/** The part of the browser's IndexedDB that the storage uses. */
interface DatabaseRequest<Result> {
  readonly result: Result;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface OpenRequest extends DatabaseRequest<Database> {
  onupgradeneeded: (() => void) | null;
}
interface Database {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: 'readonly' | 'readwrite'): Transaction;
}
interface Transaction {
  readonly error: Error | null;
  objectStore(name: string): ObjectStore;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}
interface ObjectStore {
  getAll<Value>(range: unknown): DatabaseRequest<Value[]>;
  put(value: string | Blob, key: string): DatabaseRequest<unknown>;
  delete(key: unknown): DatabaseRequest<unknown>;
}
interface Platform {
  indexedDB: { open(name: string, version: number): OpenRequest };
  IDBKeyRange: { bound(lower: string, upper: string): unknown };
}

/** Prefix of file keys. Message keys begin with user ids, which contain no asterisk. */
const filePrefix = '*';

/** Returns outbox storage that uses the browser's IndexedDB. */
export function createIndexedDbStorage(databaseName = 'messaging-outbox'): OutboxStorage {
  const { indexedDB, IDBKeyRange }: Platform = Object(globalThis);
  const state: { database?: Promise<Database> } = {};
  const run = async <Result>(
    mode: 'readonly' | 'readwrite',
    start: (store: ObjectStore) => DatabaseRequest<Result>,
  ): Promise<Result> => {
    state.database ??= openDatabase(indexedDB, databaseName);
    const transaction = (await state.database).transaction(storeName, mode);
    const request = start(transaction.objectStore(storeName));
    return new Promise((resolve, reject) => {
      // A request may succeed even if its transaction fails later.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  const prefixRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const fileRange = (key: string) => prefixRange(`${filePrefix}${key}/`);
  return {
    list: (prefix) => run('readonly', (store) => store.getAll<string>(prefixRange(prefix))),
    put: (key, value, files = []) =>
      run('readwrite', (store) => {
        for (const [n, file] of files.entries()) store.put(file, `${filePrefix}${key}/${n}`);
        return store.put(value, key);
      }),
    delete: (key) =>
      run('readwrite', (store) => {
        store.delete(fileRange(key));
        return store.delete(key);
      }),
    // A message has at most ten files, so the file numbers in keys are single digits and sort in
    // order.
    listFiles: (key) => run('readonly', (store) => store.getAll<Blob>(fileRange(key))),
  };
}

const openDatabase = (indexedDB: Platform['indexedDB'], name: string): Promise<Database> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
