import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Problem } from '../../lib/problem.ts';
import { listen } from '../listen.ts';
import { type Engine, type EngineOptions, watchEngine } from './engine-process.ts';

/** File in which Dynoxide stores the tables. */
export const dynoxideFile = 'dynoxide.db';

/**
 * Shell script that runs the engine and kills it when standard input ends, which also happens if
 * this process crashes. `exec` replaces the shell with the engine, so `kill $$` kills the engine.
 */
const script = 'exec 3<&0; (cat <&3; kill $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';

/** Returns the path of Dynoxide's executable, or `undefined` on an unsupported platform. */
export function findDynoxide(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    return undefined;
  }
}

/**
 * Starts Dynoxide, a DynamoDB engine that needs no Java, on the loopback interface. All access keys
 * and regions share its tables.
 */
export async function startDynoxide(program: string, options: EngineOptions): Promise<Engine> {
  const start = async () => spawnDynoxide(program, options, options.port ?? (await findFreePort()));
  // Retries once, because another process may take the free port first.
  return start().catch(start);
}

async function spawnDynoxide(
  program: string,
  { directory }: EngineOptions,
  port: number,
): Promise<Engine> {
  if (directory) mkdirSync(directory, { recursive: true });
  const file = directory ? ['--db-path', join(directory, dynoxideFile)] : [];
  const child = spawn('sh', ['-c', script, 'sh', program, 'serve', '--port', `${port}`, ...file], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  return watchEngine(child, {
    title: (id) => `Dynoxide, the table's engine (process ${id}),`,
    findPort: (line) => (line.startsWith('Dynoxide listening on ') ? port : undefined),
    toStartError: (printed) => new Problem(`Dynoxide did not start:\n${printed}`),
    toSpawnError: (error) => error,
  });
}

async function findFreePort(): Promise<number> {
  const { port, close } = await listen(createServer(), 0);
  await close();
  return port;
}
