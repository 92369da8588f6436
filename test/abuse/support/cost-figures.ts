import type { CallResult } from './make-call.ts';

export interface UnitUsage {
  calls: number;
  reads: number;
  writes: number;
}

/** The maximum, the second-highest value and the median of each figure. */
export interface Cost extends UnitUsage {
  secondHighest: UnitUsage;
  median: UnitUsage & { milliseconds: number };
}

export interface Figures {
  title: string;
  quiet: Cost;
  abused: Cost;
  faults: string[];
}

export interface Pairs {
  quiet: CallResult[];
  abused: CallResult[];
}

/** Summarizes the measurements. The median duration covers the last `rounds` measurements. */
export const toFigures = (title: string, { quiet, abused }: Pairs, rounds: number): Figures => ({
  title,
  quiet: toCost(quiet, rounds),
  abused: toCost(abused, rounds),
  faults: [
    ...quiet.flatMap(({ fault }) => fault && `${title}, in the baseline: ${fault}`),
    ...abused.flatMap(({ fault }) => fault && `${title}: ${fault}`),
  ].filter((one) => one !== undefined),
});

function toCost(results: CallResult[], rounds: number): Cost {
  const values = (value: (one: CallResult) => number, of = results) =>
    of.map(value).sort((a, b) => a - b);
  const middle = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;
  const [calls, reads, writes] = [
    values(({ table_calls }) => table_calls),
    values(({ read_units }) => read_units),
    values(({ write_units }) => write_units),
  ];
  return {
    calls: calls.at(-1) ?? 0,
    reads: reads.at(-1) ?? 0,
    writes: writes.at(-1) ?? 0,
    secondHighest: {
      calls: calls.at(-2) ?? 0,
      reads: reads.at(-2) ?? 0,
      writes: writes.at(-2) ?? 0,
    },
    median: {
      calls: middle(calls),
      reads: middle(reads),
      writes: middle(writes),
      milliseconds: middle(values(({ milliseconds }) => milliseconds, results.slice(-rounds))),
    },
  };
}

/**
 * Minimum number of units to count for a call. For missing items, DynamoDB Local charges nothing,
 * but AWS charges up to one unit.
 */
const minUnits = 1;

export interface CostLimit {
  calls: number;
  units: number;
}

/**
 * Cost of the first reader's one-time maintenance. The maintenance reads 1,000 tombstones in four
 * calls (29 tombstones per unit), writes up to 20 range bounds (one call and one unit each) and
 * removes 25 tombstones in one call.
 */
export const firstReadCost: CostLimit = { calls: 4 + 20 + 1, units: 35 + 20 + 25 };

const toUnits = ({ reads, writes }: UnitUsage) => Math.max(minUnits, reads + writes);

export interface Allowance {
  maxFactor?: number | undefined;
  extraCost?: CostLimit | undefined;
  /** Default: `firstReadCost`. */
  oneTimeCost?: CostLimit | undefined;
  /** Maximum units of a call, before `oneTimeCost`. Calls keep `maxFactor` and `extraCost`. */
  maxUnits?: number | undefined;
  maxSlowdown?: number | undefined;
}

const noCost: CostLimit = { calls: 0, units: 0 };

export function findOverBudget(figures: Figures, allowance: Allowance): string[] {
  const { title, quiet, abused, faults } = figures;
  const {
    maxFactor = 3,
    extraCost = noCost,
    oneTimeCost = firstReadCost,
    maxUnits,
    maxSlowdown,
  } = allowance;
  const over = (name: string, measured: number, limit: number) =>
    measured > limit ? [`${title}: ${measured} ${name}, limit ${limit}`] : [];
  const calls = maxFactor * quiet.calls + extraCost.calls;
  const units = maxUnits ?? maxFactor * toUnits(quiet) + extraCost.units;
  return [
    ...new Set(faults),
    ...over('calls', abused.calls, calls + oneTimeCost.calls),
    ...over('calls in two measurements', abused.secondHighest.calls, calls),
    ...over('units', toUnits(abused), units + oneTimeCost.units),
    ...over('units in two measurements', toUnits(abused.secondHighest), units),
    ...(isSlower(figures, maxSlowdown)
      ? over('ms', abused.median.milliseconds, (maxSlowdown ?? 1) * quiet.median.milliseconds)
      : []),
  ];
}

export const isSlower = ({ quiet, abused }: Figures, maxSlowdown: number | undefined): boolean =>
  maxSlowdown !== undefined && abused.median.milliseconds > maxSlowdown * quiet.median.milliseconds;

export function formatFigures(reports: { title: string; figures: Figures[] }[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const formatPair = (max: number, median: number) =>
    max === median ? `${max}` : `${max} (${median})`;
  const cells = ({ median, secondHighest: _, ...max }: Cost) => [
    formatPair(max.calls, median.calls),
    formatPair(max.reads, median.reads),
    formatPair(max.writes, median.writes),
    median.milliseconds.toFixed(0),
  ];
  const sides = ['quiet', 'abused'].flatMap((side) =>
    ['calls', 'reads', 'writes', 'ms'].map((name) => `${side}: ${name}`),
  );
  return [
    row(['maximum (median)', ...sides]),
    row(['---', ...sides.map(() => '--:')]),
    ...reports.flatMap(({ title, figures }) => [
      row([`**${title}**`, ...sides.map(() => '')]),
      ...figures.map((one) => row([one.title, ...cells(one.quiet), ...cells(one.abused)])),
    ]),
  ].join('\n');
}
