import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { getErrorCode, isError } from '../../lib/problem.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { headroomMegabytes, watchMemory } from './memory-watch.ts';
import {
  type FunctionFailure,
  type Invocation,
  type Outcome,
  running,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts';

/**
 * Maximum time to load the code, in seconds. Loading takes longer on a busy machine. The function's
 * own timeout applies only to invocations.
 */
const loadSeconds = 120;

/**
 * Maximum milliseconds for a thread to terminate. If a thread takes longer, it is presumably stuck
 * in V8, so the process kills itself with SIGKILL.
 */
const terminationMilliseconds = 60_000;

/** An execution environment: a thread that loads the code and handles one event at a time. */
export interface FunctionEnvironment {
  /** Resolves with the outcome of loading the code. */
  loaded: Promise<Outcome>;
  /** Returns the outcome of the invocation; never throws. */
  invoke(event: string): Promise<Outcome>;
  /** Returns false once the thread has ended. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

export interface EnvironmentOptions {
  definition: FunctionDefinition;
  variables: Readonly<Record<string, string>>;
  log: (line: string) => void;
}

interface EnvironmentState {
  readonly thread: Worker;
  readonly definition: FunctionDefinition;
  /** Value shared with the thread. A frozen thread waits until this value changes. */
  readonly signal: Int32Array<SharedArrayBuffer>;
  isRunning: boolean;
  /** Resolves the pending load or invocation with an outcome. */
  settle(outcome: Outcome): void;
}

export function startEnvironment({
  definition,
  variables,
  log,
}: EnvironmentOptions): FunctionEnvironment {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const thread = startThread(definition, variables, signal);
  const state: EnvironmentState = { thread, definition, signal, isRunning: true, settle: () => {} };
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'printed') message.text.trimEnd().split('\n').forEach(log);
    else if (message.kind === 'ready') state.settle({ ok: true, reply: '' });
    else if (message.kind === 'outcome') state.settle(message.outcome);
    else end(state, message.failure);
  });
  thread.on('error', (error) => end(state, toCrashFailure(error)));
  thread.on('exit', (code) =>
    end(state, {
      errorType: 'Runtime.ExitError',
      errorMessage: `Runtime exited with status ${code}`,
    }),
  );

  const loaded = wait(state, loadSeconds, {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Init phase timed out after ${loadSeconds} seconds`,
  });
  return {
    loaded,
    invoke: async (event) => {
      const ready = await loaded;
      return ready.ok ? invoke(state, event) : ready;
    },
    isRunning: () => state.isRunning,
    stop: async () => {
      await end(state, {
        errorType: 'Sandbox.Stopped',
        errorMessage: 'The local cloud was stopped',
      });
    },
  };
}

function startThread(
  definition: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
  state: Int32Array<SharedArrayBuffer>,
): Worker {
  const settings: ThreadSettings = {
    folder: definition.folder,
    handler: definition.handler,
    functionName: definition.name,
    functionArn: definition.arn,
    memoryMegabytes: definition.memoryMegabytes,
    logGroupName: `/aws/lambda/${definition.name}`,
    jsonLogLevel: definition.jsonLogLevel,
    state,
  };
  return new Worker(join(import.meta.dirname, 'thread.ts'), {
    name: definition.id,
    workerData: settings,
    env: { ...variables, NODE_COMPILE_CACHE: join(dirname(definition.folder), 'compile-cache') },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: definition.memoryMegabytes + headroomMegabytes },
  });
}

/**
 * Returns the outcome of a load or invocation. If the thread exceeds its time or memory limit, ends
 * the environment.
 */
const wait = (state: EnvironmentState, seconds: number, timeoutFailure: FunctionFailure) =>
  new Promise<Outcome>((resolve) => {
    const { thread, definition } = state;
    const endWatch = watchMemory(thread, definition.memoryMegabytes, () => end(state, outOfMemory));
    let failing: NodeJS.Immediate | undefined;
    // If the process was paused, the timer expires before the event loop reads the outcome.
    const expire = () => {
      failing = setImmediate(() => end(state, timeoutFailure));
    };
    const timer = setTimeout(expire, seconds * 1000);
    state.settle = (outcome) => {
      clearTimeout(timer);
      clearImmediate(failing);
      endWatch();
      resolve(outcome);
    };
  });

function end(state: EnvironmentState, failure: FunctionFailure): Promise<number> {
  state.isRunning = false;
  state.settle({ ok: false, failure });
  const killTimer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), terminationMilliseconds);
  return state.thread.terminate().finally(() => clearTimeout(killTimer));
}

function invoke(state: EnvironmentState, event: string): Promise<Outcome> {
  const { thread, definition, signal } = state;
  const { timeoutSeconds } = definition;
  const invocation: Invocation = {
    requestId: randomUUID(),
    event,
    deadline: Date.now() + timeoutSeconds * 1000,
  };
  const outcome = wait(state, timeoutSeconds, {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
  });
  Atomics.store(signal, 0, running);
  Atomics.notify(signal, 0);
  thread.postMessage(invocation);
  return outcome;
}

const outOfMemory: FunctionFailure = {
  errorType: 'Runtime.OutOfMemory',
  errorMessage: 'Runtime exited with error: signal: killed',
};

const toCrashFailure = (error: unknown): FunctionFailure => {
  if (!isError(error)) return { errorType: 'Error', errorMessage: String(error) };
  if (getErrorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory;
  const { name, message, stack = '' } = error;
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
};
