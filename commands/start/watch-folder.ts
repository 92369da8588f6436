import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `onChange` on any change in the folder, recursively. Returns a function that stops
 * watching. On Linux, watches each folder separately, because Node's recursive watch stops watching
 * a file that an editor replaces with a new file of the same name.
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
  const watchAll = () => {
    const folders = new Set(listFolders(folder));
    for (const [path, watcher] of watchers) {
      if (folders.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of folders) {
      if (watchers.has(path)) continue;
      const watcher = watch(path, (event) => {
        if (event === 'rename') watchAll();
        onChange();
      });
      // The folder was deleted. The watcher of its parent folder reports the deletion.
      watcher.on('error', () => {});
      watchers.set(path, watcher);
    }
  };
  watchAll();
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

const listFolders = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
];
