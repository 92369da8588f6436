import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FromHost, HostedFunction, ToHost } from './host-protocol.ts';
import type { FunctionFailure, Outcome } from './thread-protocol.ts';

export interface FunctionHost {
  /** Invokes the function with an event in JSON. Never throws. */
  invoke(functionArn: string, event: string): Promise<Outcome>;
  /**
   * Replaces the functions' code and variables. If any code cannot be loaded, changes nothing and
   * returns the first failure.
   */
  replace(functions: readonly HostedFunction[]): Promise<FunctionFailure | undefined>;
  stop(): Promise<void>;
}

export interface FunctionHostOptions {
  functions: readonly HostedFunction[];
  log(functionArn: string, line: string): void;
}

/**
 * Runs the functions in a separate process (host-program.ts). If that process exits, the next
 * invocation starts a new process.
 */
export function startFunctionHost({ functions: first, log }: FunctionHostOptions): FunctionHost {
  let functions = first;
  const pendingOutcomes = new Map<number, (outcome: Outcome) => void>();
  let lastId = 0;
  let stopped = false;

  const start = (): ChildProcess => {
    const child = forkHost();
    child.on('message', (messages: FromHost[]) => {
      for (const message of messages) {
        if (message.kind === 'printed') log(message.functionArn, message.line);
        else settle(message.id, message.outcome);
      }
    });
    child.once('exit', () => {
      for (const id of pendingOutcomes.keys()) settle(id, killedOutcome);
      host = undefined;
    });
    sendMessage(child, { kind: 'functions', functions });
    return child;
  };

  const settle = (id: number, outcome: Outcome) => {
    pendingOutcomes.get(id)?.(outcome);
    pendingOutcomes.delete(id);
  };

  let host: ChildProcess | undefined = start();
  const sendRequest = (message: (id: number) => ToHost) =>
    new Promise<Outcome>((resolve) => {
      if (stopped) {
        resolve(killedOutcome);
        return;
      }
      lastId += 1;
      pendingOutcomes.set(lastId, resolve);
      host ??= start();
      sendMessage(host, message(lastId));
    });
  return {
    invoke: (functionArn, event) =>
      sendRequest((id) => ({ kind: 'invoke', id, functionArn, event })),
    replace: async (others) => {
      const outcome = await sendRequest((id) => ({ kind: 'replace', id, functions: others }));
      if (!outcome.ok) return outcome.failure;
      const replaced = new Map(others.map((one) => [one.definition.arn, one]));
      functions = functions.map((one) => replaced.get(one.definition.arn) ?? one);
      return undefined;
    },
    stop: async () => {
      stopped = true;
      const last = host;
      if (!last) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      last.kill('SIGKILL');
      await ended;
    },
  };
}

const forkHost = (): ChildProcess =>
  fork(join(import.meta.dirname, 'host-program.ts'), {
    // V8 13.6 omits the interrupt check in some loops that it optimizes while they run. A thread in
    // such a loop cannot be terminated.
    execArgv: ['--no-use-osr'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

/**
 * Sends a message, and ignores errors: if the process has just exited, the `exit` event settles the
 * request.
 */
const sendMessage = (child: ChildProcess, message: ToHost) => child.send(message, () => {});

const killedOutcome: Outcome = {
  ok: false,
  failure: {
    errorType: 'Runtime.ExitError',
    errorMessage: 'Runtime exited with error: signal: killed',
  },
};
