import { getMemory, type Memory } from './process-memory.ts';

export interface Sample {
  /** Since the traffic began. */
  milliseconds: number;
  /** Answered until then. */
  requests: number;
  memory: Memory;
}

const intervalMilliseconds = 2000;

/** Takes samples until it is stopped, and gives them then. */
export function sampleMemory(cloudPid: number, requests: () => number): () => Sample[] {
  const samples: Sample[] = [];
  const begunAt = performance.now();
  const timer = setInterval(() => {
    const memory = getMemory(cloudPid);
    const milliseconds = performance.now() - begunAt;
    if (memory) samples.push({ milliseconds, requests: requests(), memory });
  }, intervalMilliseconds);
  return () => {
    clearInterval(timer);
    return samples;
  };
}
