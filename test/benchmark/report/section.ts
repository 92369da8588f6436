import { alignColumns } from '../../../commands/cli/align-columns.ts';
import { percentile } from '../latencies.ts';

export interface Section {
  /** An id such as `start-up`, which is also the name of the plot's file. */
  id: string;
  title: string;
  /** One or two sentences about the comparison and the goal. */
  explanation: string;
  unit: string;
  /** Whether the table has a column for each row's ratio to the first row. */
  hasRatio: boolean;
  rows: { name: string; values: number[] }[];
}

export const summarize = (values: readonly number[]) => ({
  low: percentile(values, 0.25),
  median: percentile(values, 0.5),
  high: percentile(values, 0.75),
});

const format = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** Returns the table's header and rows. Omits the spread if each row has only one value. */
export function toCells({ rows, unit, hasRatio }: Section): string[][] {
  const first = summarize(rows[0]?.values ?? []).median;
  const isCounted = rows.every(({ values }) => values.length === 1);
  return [
    [
      '',
      isCounted ? unit : `median ${unit}`,
      ...(isCounted ? [] : ['interquartile range']),
      ...(hasRatio ? ['ratio'] : []),
    ],
    ...rows.map(({ name, values }) => {
      const { low, median, high } = summarize(values);
      return [
        name,
        format(median),
        ...(isCounted ? [] : [`${format(low)}–${format(high)}`]),
        ...(hasRatio ? [(median / first).toFixed(2)] : []),
      ];
    }),
  ];
}

export const formatSection = (section: Section): string =>
  [section.title, ...alignColumns(toCells(section), 1)].join('\n');
