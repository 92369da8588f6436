import type { Made } from './make-call.ts';

/** What a call was charged at most, and how long it took in the median. */
export interface Cost {
  calls: number;
  reads: number;
  writes: number;
  milliseconds: number;
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

/** The most of each: a call that is dear once is dear. */
function costOf(made: Made[]): Cost {
  const most = (value: (one: Made) => number) => Math.max(...made.map(value));
  const times = made.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    calls: most(({ table_calls }) => table_calls),
    reads: most(({ read_units }) => read_units),
    writes: most(({ write_units }) => write_units),
    milliseconds: times[Math.floor(times.length / 2)] ?? 0,
  };
}

/** DynamoDB Local charges nothing for what it does not find: a call that costs nothing here costs so much on AWS. */
const leastUnits = 1;

const unitsOf = ({ reads, writes }: Cost) => Math.max(leastUnits, reads + writes);

/** Why the besieged call costs more than it may; and what was wrong with the replies. */
export function overBudget(
  { title, quiet, besieged, wrong }: Figures,
  { times = 3, slower, mostUnits }: { times?: number; slower?: number; mostUnits?: number },
): string[] {
  const over = (what: string, here: number, there: number, most: number) =>
    there > most * here
      ? [`${title}: ${there} ${what}, but it may have ${most} times ${here}`]
      : [];
  return [
    ...new Set(wrong),
    ...over('calls', quiet.calls, besieged.calls, times),
    ...(mostUnits === undefined
      ? over('units', unitsOf(quiet), unitsOf(besieged), times)
      : over('units', mostUnits, unitsOf(besieged), 1)),
    ...(slower === undefined ? [] : over('ms', quiet.milliseconds, besieged.milliseconds, slower)),
  ];
}

const columns = [46, 7, 7, 8, 6, 7, 7, 8, 6];

/** A table of all figures, to be read and to be pasted. */
export function tableOf(told: { title: string; figures: Figures[] }[]): string {
  const row = (cells: (string | number)[]) =>
    `| ${cells.map((cell, n) => String(cell).padEnd(columns[n] ?? 0)).join(' | ')} |`;
  const cells = ({ calls, reads, writes, milliseconds }: Cost) => [
    calls,
    reads,
    writes,
    milliseconds.toFixed(0),
  ];
  return [
    row([
      'at most, of five calls',
      'quiet: calls',
      'reads',
      'writes',
      'ms',
      'besieged: calls',
      'reads',
      'writes',
      'ms',
    ]),
    row(columns.map((width) => '-'.repeat(width))),
    ...told.flatMap(({ title, figures }) => [
      `| **${title}** |`,
      ...figures.map((one) => row([one.title, ...cells(one.quiet), ...cells(one.besieged)])),
    ]),
  ].join('\n');
}
