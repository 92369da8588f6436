import type { Worker } from 'node:worker_threads';

/**
 * Megabytes by which V8's heap limit exceeds a function's memory limit. A large allocation above
 * the heap limit ends the whole process, so a function must not reach that limit between two
 * checks.
 */
export const headroomMegabytes = 1024;

const measureMilliseconds = 20;

/**
 * Number of consecutive measurements above the limit after which a function counts as out of
 * memory. A single measurement may include uncollected garbage.
 */
const maxMeasurementsAbove = 3;

/**
 * Calls `onExceeded` when the thread's memory, including buffers, exceeds `megabytes`. Returns a
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
