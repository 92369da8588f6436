import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { getAnchors, getProse, pages, read, root } from './pages.ts';

/**
 * Returns why a link is broken, or undefined if its file and heading exist. `target` is relative to
 * the repository root.
 */
function brokenLink(target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  if (!existsSync(join(root, path))) return `${target}: file not found`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return getAnchors(read(path)).includes(anchor) ? undefined : `${target}: heading not found`;
}

describe.each(pages)('%s', (page) => {
  test('has no broken links', () => {
    const links = [...getProse(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => (link.startsWith('#') ? page + link : normalize(join(dirname(page), link))));
    expect(links.map(brokenLink).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('has unique headings', () => {
    const anchors = getAnchors(read(page));
    expect(anchors.filter((anchor, n) => anchors.indexOf(anchor) !== n)).toEqual([]);
  });
});

test('Links to documentation in source files are valid', () => {
  const files = globSync('{bin,commands,docgen,functions,lib,local-cloud,shared}/**/*.ts', {
    cwd: root,
  });
  const documentedLinks = files.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w-]+\.md(#[\w-]+)?/g)].map(([target]) => target),
  );
  expect(documentedLinks.length).toBeGreaterThan(10);
  expect(
    [...new Set(documentedLinks)].map(brokenLink).filter((fault) => fault !== undefined),
  ).toEqual([]);
});
