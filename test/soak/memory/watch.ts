import { type Memory, memoryOf } from './processes.ts';

export interface Sample {
  /** Since the traffic began. */
  milliseconds: number;
  /** Answered until then. */
  requests: number;
  memory: Memory;
}

const everyMilliseconds = 2000;

/** Takes samples until it is stopped, and gives them then. */
export function watchMemory(cloudPid: number, requests: () => number): () => Sample[] {
  const samples: Sample[] = [];
  const begunAt = performance.now();
  const timer = setInterval(() => {
    const memory = memoryOf(cloudPid);
    const milliseconds = performance.now() - begunAt;
    if (memory) samples.push({ milliseconds, requests: requests(), memory });
  }, everyMilliseconds);
  return () => {
    clearInterval(timer);
    return samples;
  };
}
