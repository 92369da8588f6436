import { availableParallelism, loadavg } from 'node:os';

/** From so many tasks a processor on, a function may run out of time for want of one. */
const tooManyTasks = 4;

/** Whether the machine has had too much to do in the last minute for a time-out to say anything. */
export const isStarved = (): boolean => (loadavg()[0] ?? 0) > tooManyTasks * availableParallelism();
