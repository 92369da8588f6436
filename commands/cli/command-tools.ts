import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { readCommit } from './read-commit.ts';

/** Side effects of deploy, destroy and rollback: running programs, prompting and printing. */
export interface CommandTools {
  /** Runs npm. Throws a Problem if npm fails. */
  npm(args: readonly string[]): Promise<void>;
  /** Runs the CDK CLI. Throws a Problem if the CLI fails. */
  cdk(args: readonly string[]): Promise<void>;
  /** Checks whether a stage works and prints the results. Throws a Problem if a check fails. */
  verify(stageName: string): Promise<void>;
  /** The file to which `cdk deploy` writes the outputs of each stack. */
  outputsFile: string;
  outputs(): Promise<Record<string, Record<string, string>>>;
  /** Returns the checked-out commit; undefined if git or the repository is missing. */
  commit(): Promise<string | undefined>;
  /** Asks the operator a question; undefined if there is no terminal. */
  prompt: ((question: string) => Promise<string>) | undefined;
  print(line: string): void;
}

const root = join(import.meta.dirname, '../..');
const Outputs = v.record(v.string(), v.record(v.string(), v.string()));

/**
 * Calls `use` with tools that run the actual programs, then deletes the tools' temporary folder.
 */
export async function withCommandTools(use: (tools: CommandTools) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-deploy-'));
  const outputsFile = join(folder, 'outputs.json');
  try {
    await use({
      npm: (args) => run(getNpmCommand(), args),
      cdk: (args) => run([process.execPath, join(root, 'node_modules/aws-cdk/bin/cdk')], args),
      verify: async (stage) => {
        const command = join(root, 'bin/verify.ts');
        await run([process.execPath, command], ['--stage', stage]).catch(() => {
          throw new Problem(
            `${stage} is deployed, but some checks failed: see above. To roll back: npm run rollback -- --stage ${stage}`,
          );
        });
      },
      outputsFile,
      outputs: async () => v.parse(Outputs, JSON.parse(await readFile(outputsFile, 'utf8'))),
      commit: () => readCommit(root),
      prompt: createPrompt(),
      print: console.log,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the command that runs npm. In an npm script, the command runs the npm that started the
 * script. Otherwise, the command is `npm` or, on Windows, runs npm-cli.js in Node's folder, because
 * Node cannot spawn npm.cmd directly.
 */
const getNpmCommand = () => {
  const { npm_execpath } = process.env;
  if (npm_execpath) return [process.execPath, npm_execpath];
  if (process.platform !== 'win32') return ['npm'];
  return [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')];
};

/**
 * Runs a program in the project's folder, with `node_modules/.bin` first in PATH, and shows its
 * output. Throws a Problem if the program fails.
 */
async function run([command = '', ...first]: readonly string[], args: readonly string[]) {
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    },
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Problem(`Stopped: ${args.slice(0, 2).join(' ')} failed.`);
}

export const createPrompt = (): CommandTools['prompt'] =>
  process.stdin.isTTY ? promptOnce : undefined;

async function promptOnce(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
