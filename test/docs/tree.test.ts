import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { read, root } from './pages.ts';

const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
    .filter(({ name }) => globSync(`${folder}/${name}/**/*.*`, { cwd: root }).length > 0)
    .map(({ name }) => (folder === '.' ? `${name}/` : `${folder}/${name}/`));

/** The folders that the README's tree names, by the folder that they are indented below. */
function foldersOfTree(): string[] {
  const [, tree = ''] = /## Where things are\n\n```\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  let parent = '';
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:\w[\w-]*\/ ?)+)(?: |$)/.exec(line) ?? [];
    const folders = names.split(' ').filter(Boolean);
    if (indent !== '') return folders.map((name) => `${parent}${name}`);
    parent = folders[0] ?? parent;
    return folders;
  });
}

test('The README’s tree names every folder of the project, and no other', () => {
  const generated = ['node_modules/', 'coverage/', 'cdk.out/'];
  const top = foldersIn('.').filter((name) => !name.startsWith('.') && !generated.includes(name));
  const all = [...top, ...['lib', 'shared', 'test'].flatMap(foldersIn)];
  expect(foldersOfTree().sort()).toEqual(all.sort());
});

test('A folder of tests has the name of the folder that it tests', () => {
  const isThere = new Set(globSync('{bin,functions,lib,shared}/**/', { cwd: root }));
  const tests = globSync('test/{bin,functions,lib,shared}/**/', { cwd: root })
    .filter((folder) => !folder.includes('__snapshots__'))
    .map((folder) => folder.replace(/^test\//, ''));
  expect(tests.filter((folder) => !isThere.has(folder))).toEqual([]);
  expect(tests.length).toBeGreaterThan(10);
});
