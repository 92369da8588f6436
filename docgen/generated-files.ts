import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { clientFiles } from '../client/generator/client-files.ts';
import type { Template } from '../lib/synthesis/template.ts';
import { describeOmittedTypes, renderDiagram } from './architecture/diagram.ts';
import { createCollection } from './collection/collection.ts';
import { errorsPage } from './errors/errors-page.ts';
import { executionPolicy } from './execution-policy.ts';
import { updateLineLinks } from './line-links.ts';
import { createOpenApiDocument } from './openapi/openapi-document.ts';
import { personExportSchema } from './person-export-schema.ts';
import { replaceBetweenMarkers } from './replace-between-markers.ts';
import { commandsList } from './tables/commands-list.ts';
import { eventsTable } from './tables/events-table.ts';
import { operationsList } from './tables/operations-list.ts';
import { retentionTable } from './tables/retention-table.ts';
import { versionFile } from './version-file.ts';

const Package = v.object({ version: v.string() });

/** Inputs of the generated files, in addition to the contract. */
export interface Sources {
  /** The template that the architecture diagram shows. */
  template: Pick<Template, 'Resources'>;
}

/**
 * Writes the outdated generated files below `root`. With `check`, writes nothing, and `ok` is false
 * if any file is outdated. Returns `ok` and the lines to print.
 */
export function updateDocs(root: string, sources: Sources, { check }: { check: boolean }) {
  const stale = findStaleFiles(root, sources);
  if (!check) writeFiles(root, stale);
  const lines = Array.from(stale.keys(), (path) =>
    check ? `${path} is outdated: run \`npm run docs\`.` : `Wrote ${path}.`,
  );
  return { ok: !check || stale.size === 0, lines };
}

/** Returns the new contents of the outdated generated files, by path. */
function findStaleFiles(root: string, { template }: Sources): Map<string, string> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const withSections = (path: string, sections: Record<string, string>) =>
    Object.entries(sections).reduce(
      (page, [name, content]) => replaceBetweenMarkers(page, path, name, content),
      read(path),
    );
  const { version } = v.parse(Package, JSON.parse(read('package.json')));
  const files = {
    'openapi.json': `${JSON.stringify(createOpenApiDocument(version), undefined, 2)}\n`,
    'shared/contract/version.ts': versionFile(version),
    'docs/api.md': withSections('docs/api.md', { operations: operationsList }),
    'docs/commands.md': withSections('docs/commands.md', { commands: commandsList }),
    'docs/live.md': withSections('docs/live.md', { events: eventsTable }),
    'CONTRIBUTING.md': updateLineLinks(read('CONTRIBUTING.md'), 'CONTRIBUTING.md', read),
    'docs/errors.md': errorsPage,
    'docs/privacy.md': withSections('docs/privacy.md', { retention: retentionTable }),
    'docs/cloudformation-policy.json': executionPolicy(),
    'docs/person-export.schema.json': personExportSchema(),
    ...inFolder('docs/bruno', createCollection()),
    ...inFolder('client/src/generated', clientFiles(version)),
    'docs/architecture.md': withSections('docs/architecture.md', {
      architecture: renderDiagram(template),
      'not drawn': describeOmittedTypes(template),
    }),
  };
  const isStale = ([path, content]: [string, string]) =>
    !existsSync(join(root, path)) || read(path) !== content;
  return new Map(Object.entries(files).filter(isStale));
}

const inFolder = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

function writeFiles(root: string, files: Map<string, string>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
