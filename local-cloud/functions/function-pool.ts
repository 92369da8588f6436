import {
  type EnvironmentOptions,
  type FunctionEnvironment,
  startEnvironment,
} from './function-environment.ts';
import type { Outcome } from './thread-protocol.ts';

/** Maximum environments per function: more would compete for this machine's few cores. */
const maxEnvironments = 4;

/**
 * Milliseconds for which events must wait before another environment starts: a start takes longer
 * than most requests, and a new environment runs unoptimized code.
 */
const patienceMilliseconds = 20;

/** Idle milliseconds after which an environment is stopped. */
const idleMilliseconds = 5 * 60 * 1000;

/** A function with its execution environments. */
export interface FunctionPool {
  /** The event is JSON. */
  invoke(event: string): Promise<Outcome>;
  /** Starts an environment and returns whether its code could be loaded. */
  load(): Promise<Outcome>;
  /**
   * Stops idle environments, and the others when they are done. Waiting events are handled first.
   */
  close(): void;
}

/** Starts environments one at a time while events wait, and reuses them. */
export function createFunctionPool(
  options: EnvironmentOptions,
  startOne: (options: EnvironmentOptions) => FunctionEnvironment = startEnvironment,
): FunctionPool {
  const idle: { environment: FunctionEnvironment; timer: NodeJS.Timeout }[] = [];
  const all = new Set<FunctionEnvironment>();
  const waiting: ((environment: FunctionEnvironment) => void)[] = [];
  const { log } = options;
  let latestStart: Promise<unknown> = Promise.resolve();
  let isGrowing = false;
  let isClosed = false;

  const start = () => {
    const environment = startOne(options);
    all.add(environment);
    latestStart = environment.loaded;
    return environment;
  };

  const acquire = (): FunctionEnvironment | Promise<FunctionEnvironment> => {
    // An idle environment is frozen, so it cannot have ended by itself.
    const idleEnvironment = idle.pop();
    if (idleEnvironment) {
      clearTimeout(idleEnvironment.timer);
      return idleEnvironment.environment;
    }
    if (all.size === 0) return start();
    return new Promise((resolve) => {
      waiting.push(resolve);
      growWhileWaiting();
    });
  };

  const growWhileWaiting = async () => {
    if (isGrowing) return;
    isGrowing = true;
    while (waiting.length > 0 && all.size < maxEnvironments) {
      await latestStart;
      await new Promise((resolve) => setTimeout(resolve, patienceMilliseconds));
      if (waiting.length === 0 || all.size === maxEnvironments) break;
      const environment = start();
      await environment.loaded;
      release(environment);
    }
    isGrowing = false;
  };

  const release = (environment: FunctionEnvironment) => {
    if (!environment.alive()) all.delete(environment);
    const next = waiting.shift();
    if (next) {
      next(environment.alive() ? environment : start());
    } else if (isClosed) {
      all.delete(environment);
      environment.stop();
    } else if (environment.alive()) {
      const timer = setTimeout(() => retire(environment), idleMilliseconds);
      timer.unref();
      idle.push({ environment, timer });
    }
  };

  const retire = (environment: FunctionEnvironment) => {
    const index = idle.findIndex((entry) => entry.environment === environment);
    if (index >= 0) idle.splice(index, 1);
    all.delete(environment);
    return environment.stop();
  };

  return {
    invoke: async (event) => {
      const environment = await acquire();
      const outcome = await environment.invoke(event);
      release(environment);
      if (!outcome.ok) {
        const { errorType, errorMessage, trace = [] } = outcome.failure;
        log([`${errorType}: ${errorMessage}`, ...trace.slice(1)].join('\n'));
      }
      return outcome;
    },
    load: async () => {
      const environment = start();
      const outcome = await environment.loaded;
      release(environment);
      return outcome;
    },
    close: () => {
      isClosed = true;
      for (const { environment } of [...idle]) retire(environment);
    },
  };
}
