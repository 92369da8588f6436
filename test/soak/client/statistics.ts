import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export interface Statistics {
  count(operation: string, status: number, milliseconds: number): void;
  requests(): number;
  statuses(): Map<number, number>;
  operations(): OperationFigures[];
}

export interface OperationFigures {
  operation: string;
  count: number;
  /** Whole milliseconds, from a histogram with three significant digits. */
  median: number;
  p95: number;
  p99: number;
  longest: number;
}

export function createStatistics(): Statistics {
  const durations = new Map<string, RecordableHistogram>();
  const statuses = new Map<number, number>();
  let requests = 0;
  return {
    count: (operation, status, milliseconds) => {
      requests += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const known = durations.get(operation) ?? createHistogram();
      durations.set(operation, known);
      known.record(Math.max(1, Math.round(milliseconds)));
    },
    requests: () => requests,
    statuses: () => new Map([...statuses].sort(([a], [b]) => a - b)),
    operations: () => [...durations].sort(byName).map(toFigures),
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

const toFigures = ([operation, histogram]: [string, RecordableHistogram]): OperationFigures => ({
  operation,
  count: histogram.count,
  median: histogram.percentile(50),
  p95: histogram.percentile(95),
  p99: histogram.percentile(99),
  longest: histogram.max,
});
