import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineCommand, run } from '../../commands/cli/command.ts';
import { createIntegerParser } from '../../commands/cli/option-parsers.ts';
import { Problem } from '../../lib/problem.ts';

const more =
  'Each run has a new seed and a random order of tests. Every other run competes with one busy process per core. A run that fails prints its seed and the failed tests.';

const command = defineCommand('test:repeat', more)
  .option('--runs <number>', 'number of runs', createIntegerParser(1, 1000), 20)
  .action(async ({ runs }) => {
    let failures = 0;
    for (let n = 1; n <= runs; n++) {
      const isLoaded = n % 2 === 0;
      const seed = randomInt(2 ** 31);
      const load = isLoaded ? startLoad() : [];
      const { code, output } = await runTests(seed);
      for (const process of load) process.kill();
      if (code !== 0) failures++;
      console.log(
        `${n}/${runs} seed ${seed}${isLoaded ? ', under load' : ''}: ${code === 0 ? 'passed' : 'failed'}`,
      );
      if (code !== 0) console.log(failedTests(output).join('\n'));
    }
    if (failures > 0) throw new Problem(`${failures} of ${runs} runs failed.`);
  });

/**
 * Loads a CPU core in bursts of 50 ms until the parent process exits and standard input closes.
 */
const busyScript = `
  setInterval(() => { for (const end = Date.now() + 50; Date.now() < end; ); });
  process.stdin.on('end', () => process.exit()).resume();`;

const startLoad = (): ChildProcess[] =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', busyScript], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );

function runTests(seed: number): Promise<{ code: number | null; output: string }> {
  const jest = ['node_modules/jest/bin/jest.js', '--randomize', `--seed=${seed}`];
  const child = spawn(process.execPath, jest, {
    env: { ...process.env, SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const failedTests = (output: string): string[] => [
  ...new Set(output.split('\n').filter((line) => /^\s+● /.test(line))),
];

await run(command);
