import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientFiles } from '../../client/generator/client-files.ts';
import { createCollection } from '../../docgen/collection/collection.ts';
import { updateDocs } from '../../docgen/generated-files.ts';
import { smallTemplate } from './architecture/small-template.ts';

const upToDate = { ok: true, lines: [] };
const generated = [
  'openapi.json',
  'shared/contract/version.ts',
  'docs/api.md',
  'docs/commands.md',
  'docs/live.md',
  'CONTRIBUTING.md',
  'docs/errors.md',
  'docs/privacy.md',
  'docs/cloudformation-policy.json',
  'docs/person-export.schema.json',
  ...Object.keys(createCollection()).map((path) => `docs/bruno/${path}`),
  ...Object.keys(clientFiles('1.2.3')).map((path) => `client/src/generated/${path}`),
  'docs/architecture.md',
];
let root: string;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const write = (path: string, content: string) => writeFileSync(join(root, path), content);
const check = () => updateDocs(root, { template: smallTemplate }, { check: true });
const update = () => updateDocs(root, { template: smallTemplate }, { check: false });
const markers = (name: string) => `<!-- ${name} -->\nold\n<!-- /${name} -->\n`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'generated-docs-'));
  write('package.json', '{"version":"1.2.3"}');
  mkdirSync(join(root, 'docs'));
  write('docs/api.md', `Before\n${markers('operations')}After\n`);
  write('docs/commands.md', markers('commands'));
  write('docs/live.md', markers('events'));
  write('docs/privacy.md', markers('retention'));
  write('CONTRIBUTING.md', '[`root`](code.ts#L1)\n');
  write('code.ts', '\nconst root = 1;\n');
  write('docs/architecture.md', `${markers('architecture')}${markers('not drawn')}`);
});
afterEach(() => rmSync(root, { recursive: true }));

describe('The generated documents', () => {
  test('are reported, but not written, if a check finds them outdated', () => {
    expect(check()).toEqual({
      ok: false,
      lines: generated.map((path) => `${path} is outdated: run \`npm run docs\`.`),
    });
    expect(check().ok).toBe(false);
  });

  test('are current after being written, and a second run writes nothing', () => {
    expect(update()).toEqual({ ok: true, lines: generated.map((path) => `Wrote ${path}.`) });
    expect(check()).toEqual(upToDate);
    expect(update()).toEqual(upToDate);
  });

  test('are outdated after a manual edit', () => {
    update();
    write('docs/errors.md', read('docs/errors.md').replace('404', '405'));
    expect(check()).toEqual({
      ok: false,
      lines: ['docs/errors.md is outdated: run `npm run docs`.'],
    });
  });

  test('are outdated after a version change', () => {
    update();
    write('package.json', '{"version":"1.3.0"}');
    expect(check()).toEqual({
      ok: false,
      lines: ['openapi.json', 'shared/contract/version.ts'].map(
        (path) => `${path} is outdated: run \`npm run docs\`.`,
      ),
    });
    update();
    expect(read('shared/contract/version.ts')).toContain("export const version = '1.3.0';\n");
  });

  test('are outdated after a template change', () => {
    update();
    const { Purge: _, ...Resources } = smallTemplate.Resources;
    const { ok, lines } = updateDocs(root, { template: { Resources } }, { check: true });
    expect({ ok, lines }).toEqual({
      ok: false,
      lines: ['docs/architecture.md is outdated: run `npm run docs`.'],
    });
  });

  test('are outdated when a linked line has moved', () => {
    update();
    write('code.ts', '\n\nconst root = 1;\n');
    expect(check()).toMatchObject({
      ok: false,
      lines: [expect.stringMatching(/^CONTRIBUTING.md/)],
    });
    update();
    expect(read('CONTRIBUTING.md')).toBe('[`root`](code.ts#L3)\n');
  });

  test('leave the page around a generated list unchanged', () => {
    update();
    expect(read('docs/api.md')).toMatch(
      /^Before\n<!-- operations -->\n\n- [\s\S]*\n\n<!-- \/operations -->\nAfter\n$/,
    );
    expect(read('docs/api.md')).toContain('- `POST /v1/messages`: Send a message\n');
  });

  test('cause an error if a page lacks its markers', () => {
    write('docs/api.md', 'No table here.\n');
    expect(check).toThrow(
      'docs/api.md needs the lines <!-- operations --> and <!-- /operations -->',
    );
  });
});
