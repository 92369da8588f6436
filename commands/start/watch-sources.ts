import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';
import { watchFolder } from './watch-folder.ts';

/**
 * Paths relative to the project. Folders are watched recursively. Files must be in the project's
 * root folder.
 */
export interface Watched {
  folders: readonly string[];
  files: readonly string[];
}

/** Delay for combining the changes that an editor or a checkout makes in quick succession. */
const debounceMilliseconds = 50;

/**
 * Debounces changes: calls `changed` 50 ms after the last change in a burst. Calls do not overlap.
 * Returns a function that stops watching.
 */
export function watchSources(
  { folders, files }: Watched,
  changed: () => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isPending = false;
  const runWhenIdle = async () => {
    if (isRunning) {
      isPending = true;
      return;
    }
    isRunning = true;
    do {
      isPending = false;
      await changed();
    } while (isPending);
    isRunning = false;
  };
  const scheduleRun = () => {
    clearTimeout(timer);
    timer = setTimeout(runWhenIdle, debounceMilliseconds);
  };
  const closeFunctions = folders.map((folder) => watchFolder(join(root, folder), scheduleRun));
  const watcher = watch(root, (_, name) => {
    if (name !== null && files.includes(name)) scheduleRun();
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
    for (const close of closeFunctions) close();
  };
}
