import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeOf, isError } from '../../lib/problem.ts';
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

/** Maximum seconds to load the code. The function's own time limit starts with the event. */
const loadSeconds = 10;

/** Milliseconds after which a terminating thread counts as stuck in V8, and its process with it. */
const terminationMilliseconds = 2000;

/**
 * An execution environment of a function: a thread with its loaded code that handles one event at a
 * time.
 */
export interface FunctionEnvironment {
  /** Resolves to whether the code could be loaded. */
  loaded: Promise<Outcome>;
  /** Returns how the invocation ended; never throws. */
  invoke(event: string): Promise<Outcome>;
  /** False once the thread has ended. */
  alive(): boolean;
  stop(): Promise<void>;
}

export interface EnvironmentOptions {
  definition: FunctionDefinition;
  variables: Readonly<Record<string, string>>;
  log: (line: string) => void;
}

export function startEnvironment(options: EnvironmentOptions): FunctionEnvironment {
  const { definition, variables, log } = options;
  const state = new Int32Array(new SharedArrayBuffer(4));
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
  const thread = new Worker(join(import.meta.dirname, 'thread.ts'), {
    name: definition.id,
    workerData: settings,
    env: { ...variables, NODE_COMPILE_CACHE: join(dirname(definition.folder), 'compile-cache') },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: definition.memoryMegabytes + headroomMegabytes },
  });

  let alive = true;
  /** Waits for the thread to load, or to answer an event. */
  let settle: (outcome: Outcome) => void = () => {};
  let timer: NodeJS.Timeout | undefined;

  const wait = (seconds: number, timeoutFailure: FunctionFailure) =>
    new Promise<Outcome>((resolve) => {
      const endWatch = watchMemory(thread, definition.memoryMegabytes, () => end(outOfMemory));
      settle = (outcome) => {
        clearTimeout(timer);
        endWatch();
        resolve(outcome);
      };
      timer = setTimeout(() => end(timeoutFailure), seconds * 1000);
    });

  const end = (failure: FunctionFailure) => {
    alive = false;
    settle({ ok: false, failure });
    const killTimer = setTimeout(
      () => process.kill(process.pid, 'SIGKILL'),
      terminationMilliseconds,
    );
    return thread.terminate().finally(() => clearTimeout(killTimer));
  };

  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'printed') message.text.trimEnd().split('\n').forEach(log);
    else if (message.kind === 'ready') settle({ ok: true, reply: '' });
    else if (message.kind === 'outcome') settle(message.outcome);
    else end(message.failure);
  });
  thread.on('error', (error) => end(toCrashFailure(error)));
  thread.on('exit', (code) =>
    end({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with status ${code}` }),
  );

  const loaded = wait(loadSeconds, {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Init phase timed out after ${loadSeconds} seconds`,
  });

  const invoke = async (event: string): Promise<Outcome> => {
    const ready = await loaded;
    if (!ready.ok) return ready;
    const { timeoutSeconds } = definition;
    const invocation: Invocation = {
      requestId: randomUUID(),
      event,
      deadline: Date.now() + timeoutSeconds * 1000,
    };
    const outcome = wait(timeoutSeconds, {
      errorType: 'Sandbox.Timedout',
      errorMessage: `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
    });
    Atomics.store(state, 0, running);
    Atomics.notify(state, 0);
    thread.postMessage(invocation);
    return outcome;
  };

  return {
    loaded,
    invoke,
    alive: () => alive,
    stop: async () => {
      await end({ errorType: 'Sandbox.Stopped', errorMessage: 'The local cloud was stopped' });
    },
  };
}

const outOfMemory: FunctionFailure = {
  errorType: 'Runtime.OutOfMemory',
  errorMessage: 'Runtime exited with error: signal: killed',
};

const toCrashFailure = (error: unknown): FunctionFailure => {
  if (!isError(error)) return { errorType: 'Error', errorMessage: String(error) };
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory;
  const { name, message, stack = '' } = error;
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
};
