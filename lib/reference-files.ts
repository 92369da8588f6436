import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import * as v from 'valibot';

const root = join(import.meta.dirname, '..');
const packaged = 'node_modules/swagger-ui-dist';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

const ownAssets = ['reference/reference.js', 'reference/reference.css'];
/** Assets of the pages. Each has its hash in its name and is cached for good. */
const assets = [`${packaged}/swagger-ui-bundle.js`, `${packaged}/swagger-ui.css`, ...ownAssets];

const pages = { '': 'reference/reference.html', '/errors': 'reference/errors.html' };
const document = 'openapi.json';

/** Source files of the reference, by path in the project. */
export const referenceSources: readonly string[] = [
  ...ownAssets,
  ...Object.values(pages),
  document,
];

const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

/**
 * Writes the files that the function `docs` serves into the folder, and files.json with their
 * paths. In a page, `{{name}}` becomes the hashed name of an asset.
 */
export function writeReferenceFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const served: Record<string, object> = {};
  const add = (path: string, text: string, more = {}) => {
    const name = path.slice(1).replaceAll('/', '_') || 'index';
    writeFileSync(join(folder, name), text);
    served[`/docs${path}`] = { name, type: types[extname(path)], hash: hashOf(text), ...more };
  };

  const hashedNames = new Map(
    assets.map((path) => {
      // Without its source map, which is not served.
      const text = read(path).replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n');
      const [name, ending] = [basename(path, extname(path)), extname(path)];
      const hashedName = `${name}.${hashOf(text)}${ending}`;
      add(`/assets/${hashedName}`, text);
      return [`${name}${ending}`, hashedName];
    }),
  );
  for (const [path, source] of Object.entries(pages)) {
    const page = read(source).replace(/\{\{([\w.-]+)\}\}/g, (_, asset: string) => {
      const hashedName = hashedNames.get(asset);
      if (!hashedName) throw new Error(`${source}: no asset named ${asset}.`);
      return hashedName;
    });
    add(path, page, { type: types['.html'] });
  }
  add('/licences.txt', licences.map((name) => read(`${packaged}/${name}`)).join('\n\n'));
  const description = v.parse(Document, JSON.parse(read(document)));
  const [{ url }] = description.servers;
  add('/openapi.json', JSON.stringify(description), { addressed: url });
  writeFileSync(join(folder, 'files.json'), JSON.stringify(served));
}

const Document = v.looseObject({ servers: v.tuple([v.looseObject({ url: v.string() })]) });

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);
