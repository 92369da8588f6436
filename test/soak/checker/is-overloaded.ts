import { availableParallelism, loadavg } from 'node:os';

/** From so many tasks a processor on, a function may run out of time for want of one. */
const maxTasksPerCore = 4;

/** Whether the machine has had too much to do in the last minute for a time-out to say anything. */
export const isOverloaded = (): boolean =>
  (loadavg()[0] ?? 0) > maxTasksPerCore * availableParallelism();
