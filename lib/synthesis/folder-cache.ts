import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const retainedMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Returns the folder `name` in `directory`. If the folder does not exist, creates it and calls
 * `fill` to write its content. The name must change with the content. Safe for concurrent
 * processes. Removes folders that have been unused for more than a day.
 */
export async function getOrCreateFolder(
  directory: string,
  name: string,
  fill: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = join(resolve(directory), name);
  if (!existsSync(folder)) {
    await mkdir(directory, { recursive: true });
    const draft = await mkdtemp(join(resolve(directory), 'draft-'));
    try {
      await fill(draft);
      await rename(draft, folder).catch((error) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const now = new Date();
  await utimes(folder, now, now);
  await removeUnused(directory);
  return folder;
}

/** Removes old folders. Keeps recent folders, which other processes may still use. */
async function removeUnused(directory: string) {
  for (const name of await readdir(directory)) {
    const folder = join(directory, name);
    const stats = await stat(folder).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > retainedMilliseconds) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
