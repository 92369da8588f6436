import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { type CommandRow, commands } from '../../commands/cli/commands.ts';
import { operations } from '../../shared/contract/operations.ts';
import { runCommand, runWithEnvironment } from '../support/processes/run-command.ts';

const root = join(import.meta.dirname, '../..');
const Package = v.object({ scripts: v.record(v.string(), v.string()) });
const { scripts } = v.parse(Package, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const rows: [string, CommandRow][] = Object.entries(commands);

test('The table of commands lists exactly the scripts in package.json', () => {
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(scripts).sort());
});

test('The table of commands contains the npm command of each script', () => {
  for (const [name, { run }] of rows) {
    expect([`npm ${name}`, `npm run ${name}`, `npm run -s ${name}`]).toContain(run);
  }
});

const onNode = 'node -r ./bin/needs-node.cjs ';

describe.each(rows.filter(([name]) => scripts[name]?.startsWith(onNode)))('%s', (name, row) => {
  const file = scripts[name]?.replace(onNode, '') ?? '';

  test('--help prints the usage and the description, and exits with code 0', () => {
    const { status, stdout, errorLine } = runCommand(file, '--help');
    expect([status, errorLine]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: ${row.run} -- `);
    expect(stdout.replace(/\s+/g, ' ')).toContain(row.summary);
    expect(stdout).not.toContain('default: false');
  });

  test('a usage error prints the error and the help command, and exits with code 1', () => {
    const { status, stdout, stderr } = runWithEnvironment({}, file, '--no-such-thing', 'x');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n').slice(1)).toEqual([`For all options: ${row.run} -- --help`]);
    expect(stderr).toMatch(/^error: (unknown option '--no-such-thing'|required option)/);
  });
});

test('Every script that runs a TypeScript file checks the Node version first', () => {
  const programs = Object.values(scripts).filter((script) => /\.ts\b/.test(script));
  expect(programs.filter((script) => !script.startsWith(onNode))).toEqual([]);
  expect(programs.length).toBeGreaterThan(10);
});

test('A Node version that cannot run TypeScript is reported in one line with the required version', () => {
  // The first option makes this Node version behave like one before 22.18.
  const old = ['--no-experimental-strip-types', '-r', './bin/needs-node.cjs'];
  const { status, stdout, stderr } = runWithEnvironment({}, ...old, 'bin/start.ts');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `Node 22.18 or newer is required, but this is ${process.version} (${process.execPath}): see https://nodejs.org, or on Linux run npm ci, which installs it.\n`,
  );
});

test('npm run cost has an option for each operation', () => {
  const { stdout } = runCommand('bin/cost.ts', '--help');
  for (const { id } of operations) expect(stdout).toContain(`--${id.replace('/', '-')} <number>`);
});
