import type { Worker } from 'node:worker_threads';

/**
 * Heap headroom above a function's memory before V8 enforces its limit. V8 ends the whole process
 * when a large allocation exceeds the limit, so the limit must be unreachable between two checks.
 */
export const marginMegabytes = 1024;

const lookMilliseconds = 20;

/** Uncollected garbage counts too, so memory is measured again after a collection. */
const looksAbove = 3;

/**
 * Calls `exceeded` when the thread uses more memory than the limit, buffers included. Returns a
 * function that stops the watch.
 */
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
