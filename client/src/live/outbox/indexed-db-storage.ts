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
  getAll(range: unknown): DatabaseRequest<string[]>;
  put(value: string, key: string): DatabaseRequest<unknown>;
  delete(key: string): DatabaseRequest<unknown>;
}
interface Platform {
  indexedDB: { open(name: string, version: number): OpenRequest };
  IDBKeyRange: { bound(lower: string, upper: string): unknown };
}

/** Returns a storage in the browser's IndexedDB. */
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
      // A request may succeed although its transaction fails later.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    list: (prefix) =>
      run('readonly', (store) => store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),
    put: (key, value) => run('readwrite', (store) => store.put(value, key)),
    delete: (key) => run('readwrite', (store) => store.delete(key)),
  };
}

const openDatabase = (indexedDB: Platform['indexedDB'], name: string): Promise<Database> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
