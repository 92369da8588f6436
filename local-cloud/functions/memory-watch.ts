import type { Worker } from 'node:worker_threads';

/**
 * Heap headroom above a function's memory before V8 enforces its limit. V8 ends the whole process
 * when a large allocation exceeds the limit, so the limit must be unreachable between two checks.
 */
export const headroomMegabytes = 1024;

const measureMilliseconds = 20;

/** Uncollected garbage counts too, so memory is measured again after a collection. */
const maxMeasurementsAbove = 3;

/**
 * Calls `exceeded` when the thread uses more memory than the limit, buffers included. Returns a
 * function that stops the watch.
 */
export function watchMemory(thread: Worker, megabytes: number, onExceeded: () => void): () => void {
  let measurementsAbove = 0;
  let isMeasuring = false;
  const measure = async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      const { used_heap_size, external_memory } = await thread.getHeapStatistics();
      measurementsAbove =
        used_heap_size + external_memory > megabytes * 1024 * 1024 ? measurementsAbove + 1 : 0;
      if (measurementsAbove === maxMeasurementsAbove) onExceeded();
    } catch {
      // The thread has just ended.
    }
    isMeasuring = false;
  };
  const timer = setInterval(measure, measureMilliseconds);
  return () => clearInterval(timer);
}
