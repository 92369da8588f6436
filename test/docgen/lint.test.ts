import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOpenApiDocument } from '../../docgen/openapi/openapi-document.ts';
import type { OpenApiDocument } from '../../docgen/openapi/openapi-types.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs Redocly with the rules of redocly.yaml, without network requests or telemetry. */
function lint(document: OpenApiDocument): { problems: number; report: string } {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      file,
      ...['--config', join(root, 'redocly.yaml'), '--format', 'stylish'],
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, CI: '1', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
    },
  );
  return { problems: status ?? -1, report: stdout + stderr };
}

describe('Redocly', () => {
  test('reports no problems in the OpenAPI document', () => {
    const { problems, report } = lint(createOpenApiDocument('1.2.3'));
    expect(problems === 0 ? '' : report).toBe('');
  });

  test('reports unresolved references and undefined tags in a broken document', () => {
    const document = createOpenApiDocument('1.2.3');
    const { problems, report } = lint({ ...document, tags: [], components: {} });
    expect(problems).toBe(1);
    expect(report).toContain('no-unresolved-refs');
    expect(report).toContain('operation-tag-defined');
  });
});
