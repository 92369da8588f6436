import { getMemory, type Memory } from './process-memory.ts';

export interface Sample {
  /** Milliseconds since the start of the traffic. */
  milliseconds: number;
  /** Number of completed requests so far. */
  requests: number;
  memory: Memory;
}

const intervalMilliseconds = 2000;

/** Samples memory every 2 seconds. The returned function stops sampling and returns the samples. */
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
