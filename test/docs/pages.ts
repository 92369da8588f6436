import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The pages that people read, by their paths. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** A page without its examples, in which nothing is a heading or a link. */
export const getProse = (page: string) => page.replace(/^( *)```[\s\S]*?^\1```/gm, '');

/** What a link can lead to on a page: its headings, as GitHub makes anchors of them. */
export const getAnchors = (page: string): string[] =>
  [...getProse(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
