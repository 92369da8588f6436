import type { Made } from './make-call.ts';

/** What a call was charged. */
export interface Charge {
  calls: number;
  reads: number;
  writes: number;
}

/** The most of each that a call was charged, what it was charged at most but for one time, and the medians. */
export interface Cost extends Charge {
  butOnce: Charge;
  median: Charge & { milliseconds: number };
}

/** A call in the quiet place and in the besieged one. */
export interface Figures {
  title: string;
  quiet: Cost;
  besieged: Cost;
  wrong: string[];
}

export const figuresOf = (
  title: string,
  { quiet, besieged }: { quiet: Made[]; besieged: Made[] },
): Figures => ({
  title,
  quiet: costOf(quiet),
  besieged: costOf(besieged),
  wrong: [
    ...quiet.flatMap(({ wrong }) => wrong && `${title}, where nothing is wrong: ${wrong}`),
    ...besieged.flatMap(({ wrong }) => wrong && `${title}: ${wrong}`),
  ].filter((one) => one !== undefined),
});

function costOf(made: Made[]): Cost {
  const values = (value: (one: Made) => number) => made.map(value).sort((a, b) => a - b);
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
      milliseconds: middle(values(({ milliseconds }) => milliseconds)),
    },
  };
}

/** DynamoDB Local charges nothing for what it does not find: a call that costs nothing here costs so much on AWS. */
const leastUnits = 1;

/** Whoever comes first tidies up what others have left behind: once, and so much at most. */
const mostOnce = { calls: 12, units: 80 };

/** Calls of the table, and read and write units. */
export interface Price {
  calls: number;
  units: number;
}

const unitsOf = ({ reads, writes }: Charge) => Math.max(leastUnits, reads + writes);

/** Why the besieged call costs more than it may; and what was wrong with the replies. */
export function overBudget(
  { title, quiet, besieged, wrong }: Figures,
  {
    times = 3,
    slower,
    mostUnits,
    besides = { calls: 0, units: 0 },
  }: { times?: number; slower?: number; mostUnits?: number | undefined; besides?: Price },
): string[] {
  const over = (what: string, there: number, most: number) =>
    there > most ? [`${title}: ${there} ${what}, ${most} at most`] : [];
  const mostCalls = times * quiet.calls + besides.calls;
  const most = mostUnits ?? times * unitsOf(quiet) + besides.units;
  return [
    ...new Set(wrong),
    ...over('calls', besieged.calls, Math.max(mostCalls, mostOnce.calls)),
    ...over('calls more than once', besieged.butOnce.calls, mostCalls),
    ...over('units', unitsOf(besieged), Math.max(most, mostOnce.units)),
    ...over('units more than once', unitsOf(besieged.butOnce), most),
    ...(slower === undefined
      ? []
      : over('ms', besieged.median.milliseconds, slower * quiet.median.milliseconds)),
  ];
}

/** A table of all figures, to be read and to be pasted. */
export function tableOf(told: { title: string; figures: Figures[] }[]): string {
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
      ...figures.map((one) => row([one.title, ...cells(one.quiet), ...cells(one.besieged)])),
    ]),
  ].join('\n');
}
