import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Problem } from '../../../lib/problem.ts';

export interface ServingCloud {
  url: string;
  tableEndpoint: string;
  tableName: string;
}

export type FromCloud =
  | ({ kind: 'serving' } & ServingCloud)
  | { kind: 'printed'; line: string }
  | { kind: 'failed'; message: string };

export interface CloudProcess extends ServingCloud {
  pid: number;
  stop(): Promise<void>;
  /** Sends SIGKILL, and waits for the process to exit. */
  kill(): Promise<void>;
}

/** Starts a local cloud in a child process, which exits when this process exits. */
export async function startCloudProcess(
  dataDirectory: string,
  log: (line: string) => void,
  where: 'memory' | 'disk' = 'memory',
): Promise<CloudProcess> {
  const child = fork(join(import.meta.dirname, 'cloud-program.ts'), [dataDirectory, where], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const serving = await servingCloud(child, log);
  return {
    ...serving,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const servingCloud = (child: ChildProcess, log: (line: string) => void) =>
  new Promise<ServingCloud>((resolve, reject) => {
    child.once('exit', () => reject(new Problem('The local cloud exited before it was ready.')));
    child.on('message', (message: FromCloud) => {
      if (message.kind === 'printed') log(message.line);
      else if (message.kind === 'failed') reject(new Problem(message.message));
      else resolve(message);
    });
  });
