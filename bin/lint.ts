import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, run } from '../commands/cli/command.ts';
import { checkedPaths, checkProse } from '../docgen/prose/check-prose.ts';

const root = join(import.meta.dirname, '..');

const sources = [
  ...['bin', 'client', 'commands', 'demo', 'docgen', 'examples', 'functions', 'lib', 'local-cloud'],
  ...['playground', 'shared', 'test'],
];

const command = defineCommand('lint', 'Prints nothing if there is nothing to fix.').action(() => {
  const passed = [
    runProgram('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
    lintProse(),
    runProgram('dependency-cruiser/bin/dependency-cruiser.mjs', '--no-progress', ...sources),
  ];
  if (passed.includes(false)) process.exitCode = 1;
});

/** Runs a program, and reports whether it succeeded. Prints a failed program's standard output. */
function runProgram(file: string, ...args: string[]): boolean {
  const path = join(root, 'node_modules', file);
  const { status, stdout } = spawnSync(process.execPath, [path, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) console.error(stdout);
  return status === 0;
}

function lintProse(): boolean {
  const git = ['ls-files', ...checkedPaths];
  const findings = execFileSync('git', git, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(tsx?|c?js|md)$/.test(file) && existsSync(join(root, file)))
    .flatMap((file) => checkProse(file, readFileSync(join(root, file), 'utf8')));
  for (const { file, line, problem } of findings) console.error(`${file}:${line} ${problem}`);
  return findings.length === 0;
}

await run(command);
