import type { CallResult } from './make-call.ts';

/** The cost of one call. */
export interface UnitUsage {
  calls: number;
  reads: number;
  writes: number;
}

/** The maximum, the second-highest value (`butOnce`), and the median of each figure. */
export interface Cost extends UnitUsage {
  butOnce: UnitUsage;
  median: UnitUsage & { milliseconds: number };
}

/** The costs of a call in both setups, and the errors in its replies. */
export interface Figures {
  title: string;
  quiet: Cost;
  abused: Cost;
  wrong: string[];
}

/** All measurements of a call in both setups. */
export interface Pairs {
  quiet: CallResult[];
  abused: CallResult[];
}

/** Returns the figures of a call. The median time includes only the last `rounds` measurements. */
export const toFigures = (
  title: string,
  { quiet, abused: besieged }: Pairs,
  rounds: number,
): Figures => ({
  title,
  quiet: toCost(quiet, rounds),
  abused: toCost(besieged, rounds),
  wrong: [
    ...quiet.flatMap(({ wrong }) => wrong && `${title}, in the baseline: ${wrong}`),
    ...besieged.flatMap(({ wrong }) => wrong && `${title}: ${wrong}`),
  ].filter((one) => one !== undefined),
});

function toCost(made: CallResult[], rounds: number): Cost {
  const values = (value: (one: CallResult) => number, of = made) =>
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
    butOnce: { calls: calls.at(-2) ?? 0, reads: reads.at(-2) ?? 0, writes: writes.at(-2) ?? 0 },
    median: {
      calls: middle(calls),
      reads: middle(reads),
      writes: middle(writes),
      milliseconds: middle(values(({ milliseconds }) => milliseconds, made.slice(-rounds))),
    },
  };
}

/** DynamoDB Local charges nothing for missing items; AWS charges this minimum for a call. */
const minUnits = 1;

/** Table calls, read units and write units. */
export interface CostLimit {
  calls: number;
  units: number;
}

/**
 * One-time maintenance by the first reader: reads 1,000 tombstones at 29 per unit in four calls,
 * writes up to 20 range bounds (one call and one unit each) and removes 25 tombstones in one call.
 */
export const firstReadCost: CostLimit = { calls: 4 + 20 + 1, units: 35 + 20 + 25 };

const toUnits = ({ reads, writes }: UnitUsage) => Math.max(minUnits, reads + writes);

/** Cost limits of a call in the scenario. */
export interface Allowance {
  /** Maximum ratio to the baseline figures. Default: 3. */
  maxFactor?: number | undefined;
  /** Additional cost allowed for every call. */
  extraCost?: CostLimit | undefined;
  /** Additional cost allowed once. Default: `firstReadCost`. */
  oneTimeCost?: CostLimit | undefined;
  /** Maximum units of a call. Replaces the ratio and `extraCost`, but not `oneTimeCost`. */
  maxUnits?: number | undefined;
  /** Maximum ratio of median times; not checked by default. */
  maxSlowdown?: number | undefined;
}

const nothing: CostLimit = { calls: 0, units: 0 };

/** Returns a message for each incorrect reply and each exceeded limit. */
export function findOverBudget(figures: Figures, allowance: Allowance): string[] {
  const { title, quiet, abused: besieged, wrong } = figures;
  const {
    maxFactor: times = 3,
    extraCost: besides = nothing,
    oneTimeCost: once = firstReadCost,
    maxUnits: mostUnits,
    maxSlowdown: slower,
  } = allowance;
  const over = (what: string, there: number, most: number) =>
    there > most ? [`${title}: ${there} ${what}, limit ${most}`] : [];
  const calls = times * quiet.calls + besides.calls;
  const units = mostUnits ?? times * toUnits(quiet) + besides.units;
  return [
    ...new Set(wrong),
    ...over('calls', besieged.calls, calls + once.calls),
    ...over('calls in two measurements', besieged.butOnce.calls, calls),
    ...over('units', toUnits(besieged), units + once.units),
    ...over('units in two measurements', toUnits(besieged.butOnce), units),
    ...(isSlower(figures, slower)
      ? over('ms', besieged.median.milliseconds, (slower ?? 1) * quiet.median.milliseconds)
      : []),
  ];
}

export const isSlower = (
  { quiet, abused: besieged }: Figures,
  slower: number | undefined,
): boolean =>
  slower !== undefined && besieged.median.milliseconds > slower * quiet.median.milliseconds;

/** Formats all figures as a Markdown table. */
export function formatFigures(told: { title: string; figures: Figures[] }[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const both = (most: number, median: number) =>
    most === median ? `${most}` : `${most} (${median})`;
  const cells = ({ median, butOnce: _, ...most }: Cost) => [
    both(most.calls, median.calls),
    both(most.reads, median.reads),
    both(most.writes, median.writes),
    median.milliseconds.toFixed(0),
  ];
  const sides = ['quiet', 'abused'].flatMap((side) =>
    ['calls', 'reads', 'writes', 'ms'].map((what) => `${side}: ${what}`),
  );
  return [
    row(['maximum (median)', ...sides]),
    row(['---', ...sides.map(() => '--:')]),
    ...told.flatMap(({ title, figures }) => [
      row([`**${title}**`, ...sides.map(() => '')]),
      ...figures.map((one) => row([one.title, ...cells(one.quiet), ...cells(one.abused)])),
    ]),
  ].join('\n');
}
