import type { Worker } from 'node:worker_threads';

/**
 * How far a thread's heap may get above its function's memory before V8 has its say. V8 ends the whole process when a
 * large allocation meets the limit, so the limit must be out of reach of what happens between two looks.
 */
export const marginMegabytes = 1024;

const lookMilliseconds = 20;

/** Garbage that has not been collected yet counts too: only what stays is held against the function. */
const looksAbove = 3;

/** Calls `exceeded` when the thread has come to use more memory than that, buffers included; gives what ends the watch. */
export function watchMemory(thread: Worker, megabytes: number, exceeded: () => void): () => void {
  let above = 0;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      const { used_heap_size, external_memory } = await thread.getHeapStatistics();
      above = used_heap_size + external_memory > megabytes * 1024 * 1024 ? above + 1 : 0;
      if (above === looksAbove) exceeded();
    } catch {
      // The thread has just ended.
    }
    looking = false;
  };
  const timer = setInterval(look, lookMilliseconds);
  return () => clearInterval(timer);
}
