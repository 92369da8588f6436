import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildSite } from '../reference/site.ts';

const root = join(import.meta.dirname, '..');

const types: Record<string, string> = {
  '': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const listFiles = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`);

/** Source files of the reference site, as paths in the project. */
export const referenceSources: readonly string[] = [
  'openapi.json',
  'client/README.md',
  ...listFiles('docs', /\.md$/),
  ...listFiles('reference', /\.(md|css|js)$/),
];

/** Builds the reference site into the folder, with an index of the served files in files.json. */
export function writeReferenceFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const index: Record<string, object> = {};
  const add = (name: string, text: string, metadata = {}) => {
    const file = name.replaceAll('/', '_') || 'index';
    writeFileSync(join(folder, file), text);
    const type = types[extname(name)];
    index[name === '' ? '/docs' : `/docs/${name}`] = {
      name: file,
      type,
      hash: hashText(text),
      ...metadata,
    };
  };
  const addAsset = (name: string, text: string) => {
    const hashedName = name.replace(/\.\w+$/, (ending) => `.${hashText(text)}${ending}`);
    add(`assets/${hashedName}`, text);
    return hashedName;
  };
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { files, baseUrl } = buildSite(read, addAsset);
  for (const { name, text, isAddressed } of files)
    add(name, text, isAddressed ? { addressed: baseUrl } : {});
  writeFileSync(join(folder, 'files.json'), JSON.stringify(index));
}

const hashText = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);
