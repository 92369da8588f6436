import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';
import { watchFolder } from './watch-folder.ts';

/** Folders, with all that is in them, and files, by their paths in the project; files lie in the project's own folder. */
export interface Watched {
  folders: readonly string[];
  files: readonly string[];
}

/** An editor, or a checkout, writes several times at once. */
const quietMilliseconds = 50;

/** Calls `changed` once things have been quiet after a change; never twice at a time. Gives what ends it. */
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
