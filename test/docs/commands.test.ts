import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { pages, read, root } from './pages.ts';

const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(read('package.json')),
);

interface DocumentedCommand {
  page: string;
  command: string;
  /** Long options, such as `--stage`, that follow the separator `--`. */
  options: string[];
}

/** The `npm run …` commands in the documentation, without the shell commands that follow. */
const documentedCommands: DocumentedCommand[] = pages.flatMap((page) =>
  [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)([^`\n|;)#&]*)/g)].map(
    ([, command = '', rest = '']) => ({
      page,
      command,
      options: [...(/ -- (.*)/.exec(rest)?.[1] ?? '').matchAll(/(?<=^|\s|\[)--[a-z][a-z-]*/g)].map(
        ([option]) => option,
      ),
    }),
  ),
);

describe('A documented command', () => {
  test('exists in package.json', () => {
    const unknown = documentedCommands.filter(({ command }) => scripts[command] === undefined);
    expect(unknown).toEqual([]);
    expect(documentedCommands.length).toBeGreaterThan(50);
  });

  test('runs only existing files in bin/ and test/', () => {
    const files = [
      ...Object.values(scripts),
      ...pages.flatMap((page) => [...read(page).matchAll(/node bin\/[\w-]+\.ts/g)].map(String)),
    ].flatMap((line) => [...line.matchAll(/\b(?:bin|test)\/[\w/-]+\.ts/g)].map(String));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });

  const withOptions = [
    ...new Set(documentedCommands.filter((one) => one.options.length > 0).map(toCommand)),
  ]
    // Only commands in bin/ have `--help`.
    .filter((command) => / bin\/[\w-]+\.ts/.test(scripts[command] ?? ''));

  test.each(withOptions)('(%s) supports its documented options', (command) => {
    const [file = ''] = /bin\/[\w-]+\.ts/.exec(scripts[command] ?? '') ?? [];
    const { stdout, stderr } = spawnSync(process.execPath, [file, '--help'], {
      cwd: root,
      encoding: 'utf8',
      env: terminalEnvironment(),
    });
    const supported = new Set([...`${stdout}${stderr}`.matchAll(/--[a-z][a-z-]*/g)].map(String));
    const unknown = documentedCommands.flatMap(({ page, command: one, options }) =>
      one === command
        ? options.filter((option) => !supported.has(option)).map((option) => `${page}: ${option}`)
        : [],
    );
    expect(unknown).toEqual([]);
  });
});

function toCommand({ command }: DocumentedCommand): string {
  return command;
}
