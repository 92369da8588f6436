import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parse } from 'yaml';
import { read, root } from './pages.ts';

test('The documentation index lists every page', () => {
  const index = read('docs/README.md');
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page = '']) => page);
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(linked.sort()).toEqual(pages.filter((name) => name !== 'README.md').sort());
});

describe('The changelog', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\](?: - (.+))?$/gm)];
  const { version } = v.parse(v.object({ version: v.string() }), JSON.parse(read('package.json')));

  test('starts with the unreleased changes, then the current version', () => {
    expect(headings.slice(0, 2).map(([, name]) => name)).toEqual(['Unreleased', version]);
  });

  test('dates each version as YYYY-MM-DD', () => {
    for (const [, , date] of headings.slice(1)) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('groups changes by the Keep a Changelog categories', () => {
    const kinds = [...read('CHANGELOG.md').matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(kinds.filter((kind = '') => !known.includes(kind))).toEqual([]);
  });
});

describe('Dependabot', () => {
  const Updates = v.object({
    updates: v.array(
      v.object({ 'package-ecosystem': v.string(), directory: v.string(), groups: v.unknown() }),
    ),
  });
  const { updates } = v.parse(Updates, parse(read('.github/dependabot.yml')));

  test('groups updates for every lock file and for GitHub Actions', () => {
    const targets = updates.map((one) => `${one['package-ecosystem']} ${one.directory}`);
    expect(targets).toEqual(['npm /', 'npm /test/generators', 'github-actions /']);
    for (const { groups } of updates) expect(groups).toBeDefined();
  });
});
