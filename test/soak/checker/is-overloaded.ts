import { availableParallelism, loadavg } from 'node:os';

/** Number of runnable tasks per processor above which functions may time out. */
const maxTasksPerCore = 4;

/** Reports whether the machine's load in the last minute can explain a timeout. */
export const isOverloaded = (): boolean =>
  (loadavg()[0] ?? 0) > maxTasksPerCore * availableParallelism();
