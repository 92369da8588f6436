import { expect, test } from '@jest/globals';
import { toPage } from './performance-page.ts';
import { plot } from './plot.ts';
import { formatSection, type Section } from './section.ts';

const section: Section = {
  id: 'start-up',
  title: 'Start-up',
  explanation: 'CPU time.',
  unit: 'ms',
  hasRatio: true,
  rows: [
    { name: 'by hand', values: [10, 10, 10, 10] },
    { name: 'send <1 KB>', values: [20, 20, 20, 25, 25, 30, 30, 30] },
  ],
};

test('Each row of a benchmark section shows its median, its spread and its ratio to the first row', () => {
  const lines = formatSection(section).split('\n');
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Start-up'],
    ['median ms', 'interquartile range', 'ratio'],
    ['by hand', '10.0', '10.0–10.0', '1.00'],
    ['send <1 KB>', '25.0', '20.0–30.0', '2.50'],
  ]);
  expect(formatSection({ ...section, hasRatio: false })).not.toContain('ratio');
});

test('A benchmark section with one value per row shows no spread', () => {
  const counted = { ...section, rows: [{ name: 'inbox', values: [34] }] };
  expect(formatSection(counted)).not.toContain('interquartile range');
});

test('The benchmark page shows a plot for each section, and a table if the section compares ratios', () => {
  expect(toPage([{ ...section, hasRatio: false }])).not.toContain('|');
  expect(toPage([section])).toContain('| send <1 KB> | 25.0 | 20.0–30.0 | 2.50 |');
  expect(toPage([section])).toContain('![Plot: Start-up](images/start-up.svg)');
});

test('A benchmark plot has a bar for each median, and escapes names', () => {
  const svg = plot(section);
  expect(svg.match(/<rect x="260" /g)).toHaveLength(2);
  expect(svg).toContain('send &lt;1 KB&gt;');
  expect(svg).not.toContain('NaN');
});
