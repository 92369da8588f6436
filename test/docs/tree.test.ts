import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { read, root } from './pages.ts';

const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
    .filter(({ name }) => globSync(`${folder}/${name}/**/*.*`, { cwd: root }).length > 0)
    .map(({ name }) => (folder === '.' ? `${name}/` : `${folder}/${name}/`));

/** Returns the folders of the tree in docs/architecture.md, each with its parent. */
function foldersOfTree(): string[] {
  const [, tree = ''] = /## Folders\n\n```\n([\s\S]*?)```/.exec(read('docs/architecture.md')) ?? [];
  let parent = '';
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:\w[\w-]*\/ ?)+)(?: |$)/.exec(line) ?? [];
    const folders = names.split(' ').filter(Boolean);
    if (indent !== '') return folders.map((name) => `${parent}${name}`);
    parent = folders[0] ?? parent;
    return folders;
  });
}

test('The tree in docs/architecture.md lists exactly the folders of the project', () => {
  const generated = ['node_modules/', 'coverage/', 'cdk.out/'];
  const top = foldersIn('.').filter((name) => !name.startsWith('.') && !generated.includes(name));
  const all = [
    ...top,
    ...['commands', 'docgen', 'lib', 'local-cloud', 'shared', 'test'].flatMap(foldersIn),
  ];
  expect(foldersOfTree().sort()).toEqual(all.sort());
});

test('Each folder in the test folders of bin, commands, docgen, functions, lib, local-cloud and shared mirrors a source folder', () => {
  const sourceFolders = new Set(
    globSync('{bin,client,commands,docgen,functions,lib,local-cloud,shared}/**/', { cwd: root }),
  );
  const tests = globSync('test/{bin,commands,docgen,functions,lib,local-cloud,shared}/**/', {
    cwd: root,
  })
    .filter((folder) => !folder.includes('__snapshots__'))
    .map((folder) => folder.replace(/^test\//, ''));
  expect(tests.filter((folder) => !sourceFolders.has(folder))).toEqual([]);
  expect(tests.length).toBeGreaterThan(10);
});
