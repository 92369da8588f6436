import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Problem } from '../../lib/problem.ts';
import { getOrCreateFolder } from '../../lib/synthesis/folder-cache.ts';
import { runNode } from '../../lib/synthesis/run-node.ts';
import { hashOf } from '../../lib/synthesis/source-hash.ts';

const root = join(import.meta.dirname, '../..');
/** Where the page's sources lie, and others: whether anything of the page has changed is for its hash to say. */
export const playgroundSources = {
  folders: ['playground', 'client/src', 'commands/users'],
  files: ['package-lock.json'],
};
/** All that the page is made of. */
const inputs = ['playground', 'client', 'demo/people.ts', 'package-lock.json'];
const notInputs = ['client/node_modules', 'client/dist'];

const types: Record<string, string> = {
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
  /** Of all that it is made of. */
  hash: string;
  /** By their paths below the build's folder. */
  files: ReadonlyMap<string, PageFile>;
}

/**
 * The files of the playground, built into a folder of `directory`; when nothing that
 * they are made of has changed since, those of last time. Fails with what the build printed.
 */
export async function builtPlayground(directory: string): Promise<BuiltPlayground> {
  const hash = hashOf(root, inputs, notInputs, [process.version]).slice(0, 16);
  const folder = await getOrCreateFolder(directory, hash, build);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, PageFile]> => {
        const type = types[extname(name)];
        if (!type) throw new Error(`local-cloud/playground has no content type for ${name}.`);
        return [relative(folder, name).split(sep).join('/'), { type, body: await readFile(name) }];
      }),
    ),
  );
  return { hash, files };
}

/** In a process of its own: what is started beside it does not wait for it. */
async function build(folder: string): Promise<void> {
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  const { failed, printed } = await runNode([vite, 'build', 'playground', ...options], {
    cwd: root,
  });
  if (failed) {
    throw new Problem(`The playground could not be built:\n${stripVTControlCharacters(printed)}`);
  }
}
