import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { getAnchors, getProse, pages, read, root } from './pages.ts';

/** What is wrong with a link, from the root; undefined if it leads somewhere. */
function brokenLink(target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  if (!existsSync(join(root, path))) return `${target}: there is no such file`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return getAnchors(read(path)).includes(anchor)
    ? undefined
    : `${target}: there is no such heading`;
}

describe.each(pages)('%s', (page) => {
  test('has links that lead somewhere', () => {
    const links = [...getProse(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => (link.startsWith('#') ? page + link : normalize(join(dirname(page), link))));
    expect(links.map(brokenLink).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('has no two headings of the same name', () => {
    const anchors = getAnchors(read(page));
    expect(anchors.filter((anchor, n) => anchors.indexOf(anchor) !== n)).toEqual([]);
  });
});

test('What commands, alarms and comments say of the documentation leads somewhere', () => {
  const files = globSync('{bin,commands,docgen,functions,lib,local-cloud,shared}/**/*.ts', {
    cwd: root,
  });
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w-]+\.md(#[\w-]+)?/g)].map(([target]) => target),
  );
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].map(brokenLink).filter((fault) => fault !== undefined)).toEqual([]);
});
