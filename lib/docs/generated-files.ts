import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { errorsPage } from './errors-page.ts';
import { openApiDocument } from './openapi-document.ts';
import { withOperationsTable } from './operations-table.ts';

const Package = v.object({ version: v.string() });

/**
 * Writes the generated files below `root` that are not what the contract says; with `check` it writes nothing and is
 * not ok when there are any. Gives the lines to tell.
 */
export function updateDocs(root: string, { check }: { check: boolean }) {
  const stale = staleFiles(root);
  if (!check) writeFiles(root, stale);
  const lines = Array.from(stale.keys(), (path) =>
    check ? `${path} is not what the contract says: run \`npm run docs\`.` : `Wrote ${path}.`,
  );
  return { ok: !check || stale.size === 0, lines };
}

/** Their paths, with what they should hold. */
function staleFiles(root: string): Map<string, string> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { version } = v.parse(Package, JSON.parse(read('package.json')));
  const files = {
    'openapi.json': `${JSON.stringify(openApiDocument(version), undefined, 2)}\n`,
    'README.md': withOperationsTable(read('README.md')),
    'docs/errors.md': errorsPage,
  };
  const isStale = ([path, content]: [string, string]) =>
    !existsSync(join(root, path)) || read(path) !== content;
  return new Map(Object.entries(files).filter(isStale));
}

function writeFiles(root: string, files: Map<string, string>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
