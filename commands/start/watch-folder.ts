import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { getErrorCode } from '../../lib/problem.ts';

/**
 * Calls `onChange` on any change in the folder or its subfolders. Returns a function that stops
 * watching. On Linux, watches each folder separately, because Node's recursive watch stops
 * watching a file that an editor replaces.
 */
export function watchFolder(
  folder: string,
  onChange: () => void,
  platform: NodeJS.Platform = process.platform,
): () => void {
  if (platform !== 'linux') {
    const watcher = watch(folder, { recursive: true }, onChange);
    return () => watcher.close();
  }
  const watchers = new Map<string, FSWatcher>();
  const unwatch = (path: string) => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  const watchOne = (path: string) => {
    const watcher = watch(path, (event, name) => {
      if (event === 'rename') {
        // If the folder was deleted or moved, the event has the folder's own name.
        if (name === basename(path)) unwatch(path);
        watchTree(folder);
      }
      onChange();
    });
    watcher.on('error', () => unwatch(path));
    watchers.set(path, watcher);
  };
  const watchTree = (path: string) => {
    try {
      if (!watchers.has(path)) watchOne(path);
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory()) watchTree(join(path, entry.name));
      }
    } catch (error) {
      // The folder was deleted during the scan. The parent folder's watcher reports the deletion.
      if (getErrorCode(error) !== 'ENOENT') throw error;
      unwatch(path);
    }
  };
  watchTree(folder);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}
