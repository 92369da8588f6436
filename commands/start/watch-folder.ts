import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `touch` when anything in the folder changes, however deep. On Linux Node watches files one by one, and loses those that an
 * editor replaces by another of the same name: there each folder is watched, which has word of all that is in it.
 */
export function watchFolder(
  folder: string,
  touch: () => void,
  platform: NodeJS.Platform = process.platform,
): () => void {
  if (platform !== 'linux') {
    const watcher = watch(folder, { recursive: true }, touch);
    return () => watcher.close();
  }
  const watchers = new Map<string, FSWatcher>();
  const watchAll = () => {
    const folders = new Set(foldersIn(folder));
    for (const [path, watcher] of watchers) {
      if (folders.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of folders) {
      if (watchers.has(path)) continue;
      const watcher = watch(path, (event) => {
        if (event === 'rename') watchAll();
        touch();
      });
      // It has gone again, and the folder above says so.
      watcher.on('error', () => {});
      watchers.set(path, watcher);
    }
  };
  watchAll();
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

const foldersIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
];
