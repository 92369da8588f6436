import type { CallResult } from './make-call.ts';

/** What a call was charged. */
export interface UnitUsage {
  calls: number;
  reads: number;
  writes: number;
}

/** The most of each that a call was charged, what it was charged at most but for one time, and the medians. */
export interface Cost extends UnitUsage {
  butOnce: UnitUsage;
  median: UnitUsage & { milliseconds: number };
}

/** A call in the quiet place and in the besieged one. */
export interface Figures {
  title: string;
  quiet: Cost;
  abused: Cost;
  wrong: string[];
}

/** A call as it was made in both places, again and again. */
export interface Pairs {
  quiet: CallResult[];
  abused: CallResult[];
}

/** Times are those of the last so many rounds: see `isSlower`. */
export const toFigures = (
  title: string,
  { quiet, abused: besieged }: Pairs,
  rounds: number,
): Figures => ({
  title,
  quiet: toCost(quiet, rounds),
  abused: toCost(besieged, rounds),
  wrong: [
    ...quiet.flatMap(({ wrong }) => wrong && `${title}, where nothing is wrong: ${wrong}`),
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

/** DynamoDB Local charges nothing for what it does not find: a call that costs nothing here costs so much on AWS. */
const minUnits = 1;

/** Calls of the table, and read and write units. */
export interface CostLimit {
  calls: number;
  units: number;
}

/**
 * Whoever comes first reads what nobody has read before, a thousand markers at 29 a unit in four calls, and tidies up: up
 * to twenty notes, which are a call and a unit each, and twenty-five removals, in one call. Once.
 */
export const firstReadCost: CostLimit = { calls: 4 + 20 + 1, units: 35 + 20 + 25 };

const toUnits = ({ reads, writes }: UnitUsage) => Math.max(minUnits, reads + writes);

/** What a call may cost in the besieged place. */
export interface Allowance {
  /** How often the quiet figures; 3 unless given. */
  maxFactor?: number | undefined;
  /** What it may cost more than that. */
  extraCost?: CostLimit | undefined;
  /** What it may cost more than that one time. */
  oneTimeCost?: CostLimit | undefined;
  /** How many units in all, instead of the former two. */
  maxUnits?: number | undefined;
  /** How often the quiet time, in the median; not looked at unless given. */
  maxSlowdown?: number | undefined;
}

const nothing: CostLimit = { calls: 0, units: 0 };

/** Why the besieged call costs more than it may; and what was wrong with the replies. */
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
    there > most ? [`${title}: ${there} ${what}, ${most} at most`] : [];
  const calls = times * quiet.calls + besides.calls;
  const units = mostUnits ?? times * toUnits(quiet) + besides.units;
  return [
    ...new Set(wrong),
    ...over('calls', besieged.calls, calls + once.calls),
    ...over('calls more than once', besieged.butOnce.calls, calls),
    ...over('units', toUnits(besieged), units + once.units),
    ...over('units more than once', toUnits(besieged.butOnce), units),
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

/** A table of all figures, to be read and to be pasted. */
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
  const sides = ['quiet', 'besieged'].flatMap((side) =>
    ['calls', 'reads', 'writes', 'ms'].map((what) => `${side}: ${what}`),
  );
  return [
    row(['at most (in the median)', ...sides]),
    row(['---', ...sides.map(() => '--:')]),
    ...told.flatMap(({ title, figures }) => [
      row([`**${title}**`, ...sides.map(() => '')]),
      ...figures.map((one) => row([one.title, ...cells(one.quiet), ...cells(one.abused)])),
    ]),
  ].join('\n');
}
