import type { Sample } from './sample-memory.ts';

const processes = ['cloud', 'functions', 'java'] as const;
type Process = (typeof processes)[number];

export interface MemoryFigures {
  process: Process;
  /** Medians of the three thirds of the run, in bytes. */
  thirds: [number, number, number];
  /** Growth from the middle third to the last: share, and bytes per request. */
  growth: number;
  growthPerRequest: number;
  grows: boolean;
}

/**
 * Maximum share of growth, from measurements. Garbage collection makes a healthy process's memory
 * vary by a third or more within minutes. A leak raises the low, median and high values alike.
 */
const maxGrowth = 0.1;
const samplePoints = [0.1, 0.5, 0.9];

/** DynamoDB Local keeps the table and its stream in memory: a request adds about 3 kB. */
const maxGrowthPerRequest: Record<Process, number> = { cloud: 0, functions: 0, java: 8192 };

/**
 * Minimum run. Functions start more environments in the first third, and in shorter runs also
 * later.
 */
const minMilliseconds = 9 * 60_000;

/** Returns each process's memory figures; empty if there are too few samples. */
export function checkMemoryGrowth(samples: readonly Sample[]): MemoryFigures[] {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return [];
  const [first, middle, last] = [0, third, 2 * third].map((from) =>
    samples.slice(from, from + third),
  );
  const lasts = samples.at(-1)?.milliseconds ?? 0;
  const requests = median(requestsOf(last)) - median(requestsOf(middle));
  return processes.map((process) => {
    const bytes = (part: readonly Sample[] = []) => part.map(({ memory }) => memory[process]);
    const grown = samplePoints.map((share) => at(share, bytes(last)) - at(share, bytes(middle)));
    const before = samplePoints.map((share) => at(share, bytes(middle)));
    const growth = Math.min(...grown.map((more, n) => more / Math.max(1, before[n] ?? 0)));
    const growthPerRequest = Math.min(...grown) / Math.max(1, requests);
    return {
      process,
      thirds: [median(bytes(first)), median(bytes(middle)), median(bytes(last))],
      growth,
      growthPerRequest,
      grows:
        lasts >= minMilliseconds &&
        growth > maxGrowth &&
        growthPerRequest > maxGrowthPerRequest[process],
    };
  });
}

const requestsOf = (part: readonly Sample[] = []) => part.map(({ requests }) => requests);

/** Returns the exact quantile; unlike a histogram, it needs all values, which are few. */
const at = (share: number, values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;

const median = (values: number[]): number => at(0.5, values);
