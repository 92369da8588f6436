import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Problem } from '../../lib/problem.ts';
import { getOrCreateFolder } from '../../lib/synthesis/folder-cache.ts';
import { runNode } from '../../lib/synthesis/run-node.ts';
import { hashFiles } from '../../lib/synthesis/source-hash.ts';

const root = join(import.meta.dirname, '../..');
/** Paths to watch. A change rebuilds the page only if it changes the hash of `hashedPaths`. */
export const playgroundSources = {
  folders: ['playground', 'client/src', 'demo'],
  files: ['package-lock.json'],
};
/** Paths of the files and folders whose hash shows whether the page has changed. */
const hashedPaths = ['playground', 'client', 'demo/people.ts', 'package-lock.json'];
const excludedPaths = ['client/node_modules', 'client/dist'];

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageFile {
  type: string;
  body: Buffer;
}

export interface BuiltPlayground {
  hash: string;
  /** Files by path below the build folder. */
  files: ReadonlyMap<string, PageFile>;
}

/**
 * Builds the playground into a subfolder of `directory`, unless the sources are unchanged. If the
 * build fails, throws a Problem with Vite's output.
 */
export async function buildPlayground(directory: string): Promise<BuiltPlayground> {
  const hash = hashFiles(root, hashedPaths, excludedPaths, [process.version]).slice(0, 16);
  const folder = await getOrCreateFolder(directory, hash, runVite);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, PageFile]> => {
        const type = contentTypes[extname(name)];
        if (!type) throw new Error(`local-cloud/playground has no content type for ${name}.`);
        return [relative(folder, name).split(sep).join('/'), { type, body: await readFile(name) }];
      }),
    ),
  );
  return { hash, files };
}

/** Runs Vite in a separate process, so that it does not block other work. */
async function runVite(folder: string): Promise<void> {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  const { failed, printed } = await runNode([vite, 'build', 'playground', ...options], {
    cwd: root,
  });
  if (failed) {
    throw new Problem(`The playground could not be built:\n${stripVTControlCharacters(printed)}`);
  }
}
