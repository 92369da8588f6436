import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { getErrorCode } from '../../lib/problem.ts';

const ObjectMetadata = v.object({
  /** Name of the file with the bytes. */
  file: v.string(),
  size: v.number(),
  type: v.string(),
  /** SHA-256 of the object's bytes, encoded in base64. */
  sha256: v.string(),
  /** Tags, encoded as in the header `x-amz-tagging`; empty if there are none. */
  tags: v.string(),
  /** Whether the result of the malware scan was published. */
  isScanned: v.optional(v.boolean()),
  /** Milliseconds since 1970. */
  modifiedAt: v.number(),
});
export type ObjectMetadata = v.InferOutput<typeof ObjectMetadata>;

/** Object store with one file for the bytes and one for the metadata of each object. */
export interface ObjectStore {
  /** Returns the path for the bytes of a new object. */
  createFile(): string;
  /** Adds an object whose bytes were written to `path`. Returns false if the key exists. */
  add(key: string, metadata: Omit<ObjectMetadata, 'file'>, path: string): Promise<boolean>;
  find(key: string): Promise<ObjectMetadata | undefined>;
  /** Returns the object's bytes; `undefined` if the object has been removed. */
  read(metadata: ObjectMetadata): Promise<NodeJS.ReadableStream | undefined>;
  /** Changes an object's metadata. Does nothing if the key does not exist. */
  change(key: string, changed: Partial<Pick<ObjectMetadata, 'tags' | 'isScanned'>>): Promise<void>;
  remove(key: string): Promise<void>;
  /** Returns the sorted keys that have the prefix. */
  list(prefix: string): Promise<string[]>;
}

/**
 * Opens the store in a folder. An object exists once its metadata file is hard-linked to the key's
 * path. The link fails if the key already exists. Removes bytes without metadata, which a killed
 * process may have left.
 */
export async function openObjectStore(directory: string): Promise<ObjectStore> {
  const bytes = join(directory, 'bytes');
  const metadataFolder = join(directory, 'facts');
  for (const folder of [bytes, metadataFolder]) await mkdir(folder, { recursive: true });
  const toPath = (key: string) => join(metadataFolder, encodeURIComponent(key));
  const find = async (key: string) => {
    const text = await readFile(toPath(key), 'utf8').catch(ignoreMissing);
    return text === undefined ? undefined : v.parse(ObjectMetadata, JSON.parse(text));
  };
  const write = async (path: string, content: ObjectMetadata) => {
    const draft = join(directory, randomUUID());
    await writeFile(draft, JSON.stringify(content));
    return { draft, path };
  };
  const list = async (prefix: string) =>
    (await readdir(metadataFolder))
      .map(decodeURIComponent)
      .filter((key) => key.startsWith(prefix))
      .sort();
  // Changes and removals run one at a time. A change concurrent with a removal could restore the
  // object.
  const inTurn = createSequence();
  const store: ObjectStore = {
    createFile: () => join(bytes, randomUUID()),
    add: async (key, content, file) => {
      const { draft, path } = await write(toPath(key), {
        ...content,
        file: basename(file),
      });
      try {
        await link(draft, path);
        return true;
      } catch (error) {
        if (getErrorCode(error) !== 'EEXIST') throw error;
        return false;
      } finally {
        await rm(draft);
      }
    },
    find,
    read: async ({ file }) =>
      (await open(join(bytes, file)).catch(ignoreMissing))?.createReadStream(),
    change: (key, changed) =>
      inTurn(async () => {
        const found = await find(key);
        if (!found) return;
        const { draft, path } = await write(toPath(key), { ...found, ...changed });
        await rename(draft, path);
      }),
    remove: (key) =>
      inTurn(async () => {
        const found = await find(key);
        if (!found) return;
        await rm(toPath(key), { force: true });
        await rm(join(bytes, found.file), { force: true });
      }),
    list,
  };
  await removeUnused(bytes, await Promise.all((await list('')).map(find)));
  return store;
}

/** Returns a function that runs the callbacks passed to it one after another. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return (run: () => Promise<void>): Promise<void> => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

function ignoreMissing(error: unknown): undefined {
  if (getErrorCode(error) !== 'ENOENT') throw error;
}

async function removeUnused(directory: string, used: readonly (ObjectMetadata | undefined)[]) {
  const names = new Set(used.flatMap((one) => one?.file ?? []));
  const unused = (await readdir(directory)).filter((name) => !names.has(name));
  await Promise.all(unused.map((name) => rm(join(directory, name))));
}
