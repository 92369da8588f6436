import type { FunctionDefinition } from './function-definition.ts';
import {
  type EnvironmentOptions,
  type FunctionEnvironment,
  startEnvironment,
} from './function-environment.ts';
import type { FunctionFailure, Outcome } from './thread-protocol.ts';

/**
 * Maximum number of environments per function. More environments would only compete for this
 * machine's cores.
 */
const maxEnvironments = 4;

/**
 * Milliseconds that events must wait before another environment starts. A cold start takes longer
 * than most requests, and a new environment runs unoptimized code.
 */
const growthDelayMilliseconds = 20;

/** Idle time in milliseconds after which the pool stops an environment. */
const idleMilliseconds = 5 * 60 * 1000;

export interface FunctionPool {
  /** Invokes the function with an event in JSON. */
  invoke(event: string): Promise<Outcome>;
  /** Starts an environment and returns the outcome of loading its code. */
  load(): Promise<Outcome>;
  /** Stops idle environments immediately, and busy environments when no event is waiting. */
  close(): void;
}

interface PoolState {
  readonly options: EnvironmentOptions;
  readonly startOne: (options: EnvironmentOptions) => FunctionEnvironment;
  readonly idle: { environment: FunctionEnvironment; timer: NodeJS.Timeout }[];
  readonly all: Set<FunctionEnvironment>;
  readonly waiting: ((environment: FunctionEnvironment) => void)[];
  latestStart: Promise<unknown>;
  isGrowing: boolean;
  isClosed: boolean;
}

/**
 * Creates a pool that reuses environments. While events wait, the pool starts more environments,
 * one at a time.
 */
export function createFunctionPool(
  options: EnvironmentOptions,
  startOne: (options: EnvironmentOptions) => FunctionEnvironment = startEnvironment,
): FunctionPool {
  const pool: PoolState = {
    ...{ options, startOne, idle: [], all: new Set(), waiting: [] },
    ...{ latestStart: Promise.resolve(), isGrowing: false, isClosed: false },
  };
  return {
    invoke: async (event) => {
      const environment = await acquire(pool);
      const outcome = await environment.invoke(event);
      release(pool, environment);
      if (!outcome.ok) options.log(formatFailure(outcome.failure, options.definition));
      return outcome;
    },
    load: async () => {
      const environment = start(pool);
      const outcome = await environment.loaded;
      release(pool, environment);
      return outcome;
    },
    close: () => {
      pool.isClosed = true;
      for (const { environment } of [...pool.idle]) retire(pool, environment);
    },
  };
}

/** Returns the line that Lambda logs for an error, in the function's log format. */
function formatFailure(failure: FunctionFailure, { jsonLogLevel }: FunctionDefinition): string {
  const { errorType, errorMessage, trace = [] } = failure;
  if (!jsonLogLevel) return [`${errorType}: ${errorMessage}`, ...trace.slice(1)].join('\n');
  const message = { errorType, errorMessage, stackTrace: trace };
  return JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message });
}

function start(pool: PoolState): FunctionEnvironment {
  const environment = pool.startOne(pool.options);
  pool.all.add(environment);
  pool.latestStart = environment.loaded;
  return environment;
}

function acquire(pool: PoolState): FunctionEnvironment | Promise<FunctionEnvironment> {
  // An idle environment is frozen, so it cannot have ended by itself.
  const idleEnvironment = pool.idle.pop();
  if (idleEnvironment) {
    clearTimeout(idleEnvironment.timer);
    return idleEnvironment.environment;
  }
  if (pool.all.size === 0) return start(pool);
  return new Promise((resolve) => {
    pool.waiting.push(resolve);
    growWhileWaiting(pool);
  });
}

async function growWhileWaiting(pool: PoolState): Promise<void> {
  const { waiting, all } = pool;
  if (pool.isGrowing) return;
  pool.isGrowing = true;
  while (waiting.length > 0 && all.size < maxEnvironments) {
    await pool.latestStart;
    await new Promise((resolve) => setTimeout(resolve, growthDelayMilliseconds));
    if (waiting.length === 0 || all.size === maxEnvironments) break;
    const environment = start(pool);
    await environment.loaded;
    release(pool, environment);
  }
  pool.isGrowing = false;
}

/**
 * Assigns the next waiting event to the environment, or to a new one if the environment has ended.
 * If no event waits, keeps the environment idle, or stops it if the pool is closed.
 */
function release(pool: PoolState, environment: FunctionEnvironment): void {
  if (!environment.isRunning()) pool.all.delete(environment);
  const next = pool.waiting.shift();
  if (next) {
    next(environment.isRunning() ? environment : start(pool));
  } else if (pool.isClosed) {
    pool.all.delete(environment);
    environment.stop();
  } else if (environment.isRunning()) {
    const timer = setTimeout(() => retire(pool, environment), idleMilliseconds);
    timer.unref();
    pool.idle.push({ environment, timer });
  }
}

function retire({ idle, all }: PoolState, environment: FunctionEnvironment): Promise<void> {
  const index = idle.findIndex((entry) => entry.environment === environment);
  if (index >= 0) idle.splice(index, 1);
  all.delete(environment);
  return environment.stop();
}
