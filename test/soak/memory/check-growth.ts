import type { Sample } from './sample-memory.ts';

const processes = ['cloud', 'functions', 'java'] as const;
type Process = (typeof processes)[number];

export interface MemoryFigures {
  process: Process;
  /** Median memory in each third of the run, in bytes. */
  thirds: [number, number, number];
  /** Growth from the middle third to the last, as a fraction of the middle third. */
  growth: number;
  /** Growth from the middle third to the last, in bytes per request. */
  growthPerRequest: number;
  isGrowing: boolean;
}

/**
 * Maximum growth as a fraction. Garbage collection changes memory use by a third or more within
 * minutes. Only a leak raises the low, median and high values together.
 */
const maxGrowth = 0.1;
const samplePoints = [0.1, 0.5, 0.9];

/**
 * Maximum growth in bytes per request. DynamoDB Local stores the table and its stream in memory, so
 * each request increases its memory usage by about 3 kB.
 */
const maxGrowthPerRequest: Record<Process, number> = { cloud: 0, functions: 0, java: 8192 };

/**
 * Minimum run time in milliseconds. In shorter runs, functions still start environments after the
 * first third of the run.
 */
const minMilliseconds = 9 * 60_000;

/** Returns the figures of each process, or an empty array if there are fewer than three samples. */
export function checkMemoryGrowth(samples: readonly Sample[]): MemoryFigures[] {
  const third = Math.floor(samples.length / 3);
  if (third === 0) return [];
  const [first, middle, last] = [0, third, 2 * third].map((from) =>
    samples.slice(from, from + third),
  );
  const duration = samples.at(-1)?.milliseconds ?? 0;
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
      isGrowing:
        duration >= minMilliseconds &&
        growth > maxGrowth &&
        growthPerRequest > maxGrowthPerRequest[process],
    };
  });
}

const requestsOf = (part: readonly Sample[] = []) => part.map(({ requests }) => requests);

const at = (share: number, values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;

const median = (values: number[]): number => at(0.5, values);
