import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';
import { watchFolder } from './watch-folder.ts';

/**
 * Folders (watched recursively) and files, as paths in the project. Files must be in the project's
 * root folder.
 */
export interface Watched {
  folders: readonly string[];
  files: readonly string[];
}

/** Editors and checkouts write a file several times in a row. */
const quietMilliseconds = 50;

/**
 * Calls `changed` once no change has occurred for a short time; calls never overlap. Returns a
 * function that stops watching.
 */
export function watchSources(
  { folders, files }: Watched,
  changed: () => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const act = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await changed();
    } while (again);
    running = false;
  };
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(act, quietMilliseconds);
  };
  const ends = folders.map((folder) => watchFolder(join(root, folder), touch));
  const watcher = watch(root, (_, name) => {
    if (name !== null && files.includes(name)) touch();
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
    for (const end of ends) end();
  };
}
