import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Returns a page without its code blocks, because their lines may resemble headings or links. */
export const getProse = (page: string) => page.replace(/^( *)```[\s\S]*?^\1```/gm, '');

/** Returns the anchors that GitHub generates for the headings of a page. */
export const getAnchors = (page: string): string[] =>
  [...getProse(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
