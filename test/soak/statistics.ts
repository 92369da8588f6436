/** What was asked, how it was answered, and how long that took. */
export interface Statistics {
  count(operation: string, status: number, milliseconds: number): void;
  requests(): number;
  statuses(): Map<number, number>;
  operations(): OperationFigures[];
}

export interface OperationFigures {
  operation: string;
  count: number;
  /** Milliseconds. */
  median: number;
  p95: number;
  p99: number;
  longest: number;
}

export function newStatistics(): Statistics {
  const durations = new Map<string, number[]>();
  const statuses = new Map<number, number>();
  let requests = 0;
  return {
    count: (operation, status, milliseconds) => {
      requests += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const known = durations.get(operation);
      if (known) known.push(milliseconds);
      else durations.set(operation, [milliseconds]);
    },
    requests: () => requests,
    statuses: () => new Map([...statuses].sort(([a], [b]) => a - b)),
    operations: () => [...durations].sort(byName).map(figuresOf),
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

function figuresOf([operation, durations]: [string, number[]]): OperationFigures {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    operation,
    count: sorted.length,
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    longest: at(1),
  };
}
