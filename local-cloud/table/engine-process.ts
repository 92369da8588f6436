import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface EngineOptions {
  /** Folder for the data. By default, the data is in memory. */
  directory?: string;
  /** Port to listen on; a free port by default. */
  port?: number;
}

export interface Engine {
  endpoint: string;
  /** Resolves with a message if the process ends unexpectedly. */
  crashed: Promise<string>;
  stop(): Promise<void>;
}

export interface EngineKind {
  /** Returns the engine's name for use in messages. */
  title(processId: number | undefined): string;
  /** Returns the port if the engine reports it in this line of its output. */
  findPort(line: string): number | undefined;
  /** Returns the error to throw if the process ends before it listens. */
  toStartError(printed: string): Error;
  /** Returns the error to throw if the program cannot be started. */
  toSpawnError(error: Error): Error;
}

/**
 * Returns the engine after it has printed its port. `stop` closes the engine's standard input,
 * which ends the engine.
 */
export async function watchEngine(child: ChildProcess, kind: EngineKind): Promise<Engine> {
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  const printed = collectLastLines(child);
  let stopped = false;
  const crashed = new Promise<string>((settle) => {
    child.once('close', (code, signal) => {
      if (!stopped) settle(formatCrash(kind.title(child.pid), signal ?? code, printed));
    });
  });
  const endpoint = `http://127.0.0.1:${await waitForPort(child, kind, printed)}`;
  return {
    endpoint,
    crashed,
    stop: async () => {
      stopped = true;
      child.stdin?.end();
      await ended;
    },
  };
}

const maxLastLines = 50;

/**
 * Collects the last lines of output. Reads all output, because a full pipe would block the process.
 */
function collectLastLines(child: ChildProcess): readonly string[] {
  const lines: string[] = [];
  onLine(child, (line) => {
    lines.push(line);
    if (lines.length > maxLastLines) lines.shift();
  });
  return lines;
}

function onLine(child: ChildProcess, listener: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface(stream).on('line', listener);
  }
}

const waitForPort = (child: ChildProcess, kind: EngineKind, printed: readonly string[]) =>
  new Promise<number>((settle, fail) => {
    child.once('error', (error) => fail(kind.toSpawnError(error)));
    child.once('close', () => fail(kind.toStartError(printed.join('\n'))));
    onLine(child, (line) => {
      const port = kind.findPort(line);
      if (port !== undefined) settle(port);
    });
  });

const formatCrash = (title: string, exitReason: unknown, printed: readonly string[]) =>
  [
    `${title} ${typeof exitReason === 'number' ? `exited with code ${exitReason}` : `was terminated by ${exitReason}`}.`,
    ...(typeof exitReason === 'number' ? printed.slice(-10) : []),
  ].join('\n');
