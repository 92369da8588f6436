import { getMemory, type Memory } from './process-memory.ts';

export interface Sample {
  /** Milliseconds since the start of the traffic. */
  milliseconds: number;
  requests: number;
  memory: Memory;
}

const intervalMilliseconds = 2000;

/** Samples memory every 2 seconds until the returned function is called. */
export function sampleMemory(cloudPid: number, requests: () => number): () => Sample[] {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const memory = getMemory(cloudPid);
    const milliseconds = performance.now() - startedAt;
    if (memory) samples.push({ milliseconds, requests: requests(), memory });
  }, intervalMilliseconds);
  return () => {
    clearInterval(timer);
    return samples;
  };
}
