import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { commitOf } from './commit-of.ts';

/** What deploying does in the world: the commands it runs, and the person it talks to. */
export interface Tools {
  /** Throws a Problem when the command fails. */
  npm(args: readonly string[]): Promise<void>;
  cdk(args: readonly string[]): Promise<void>;
  /** Looks whether a stage works, and says what it saw. Throws a Problem when something does not. */
  verify(stageName: string): Promise<void>;
  /** The outputs of each stack that `cdk deploy` has left in this file. */
  outputsFile: string;
  outputs(): Promise<Record<string, Record<string, string>>>;
  /** The commit that is deployed; undefined where git knows of none. */
  commit(): Promise<string | undefined>;
  /** Undefined where nobody can be asked. */
  ask: ((question: string) => Promise<string>) | undefined;
  print(line: string): void;
}

const root = join(import.meta.dirname, '../..');
const Outputs = v.record(v.string(), v.record(v.string(), v.string()));

/** The real ones, for as long as `use` takes. */
export async function withTools(use: (tools: Tools) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-deploy-'));
  const outputsFile = join(folder, 'outputs.json');
  try {
    await use({
      npm: (args) => run(npmCommand(), args),
      cdk: (args) => run([process.execPath, join(root, 'node_modules/aws-cdk/bin/cdk')], args),
      verify: async (stage) => {
        const command = join(root, 'bin/verify.ts');
        await run([process.execPath, command], ['--stage', stage]).catch(() => {
          throw new Problem(
            `${stage} was deployed, and not all of it works as it should: see above. The way back: npm run rollback -- --stage ${stage}`,
          );
        });
      },
      outputsFile,
      outputs: async () => v.parse(Outputs, JSON.parse(await readFile(outputsFile, 'utf8'))),
      commit: () => commitOf(root),
      ask: asker(),
      print: console.log,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** npm tells its commands where it is itself. Without that, on Windows its program lies beside Node: npm.cmd is no program. */
const npmCommand = () => {
  const { npm_execpath } = process.env;
  if (npm_execpath) return [process.execPath, npm_execpath];
  if (process.platform !== 'win32') return ['npm'];
  return [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')];
};

/** Runs it in the project's folder, on the project's own Node, before the eyes of whoever started this. */
async function run([command = '', ...first]: readonly string[], args: readonly string[]) {
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    },
  });
  const code = await new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('close', settle);
  });
  if (code !== 0) throw new Problem(`Stopped: ${args.slice(0, 2).join(' ')} failed.`);
}

/** Asks whoever sits at the terminal; undefined where nobody does. */
export const asker = (): Tools['ask'] => (process.stdin.isTTY ? ask : undefined);

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
