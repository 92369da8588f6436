import { type Section, summarize } from './section.ts';

const rowHeight = 26;
const labelWidth = 260;
const barWidth = 400;

/** Draws a section as SVG: a bar for each median, and a line for the interquartile range. */
export function plot({ rows, title, unit }: Section): string {
  const summaries = rows.map(({ name, values }) => ({ name, ...summarize(values) }));
  const max = Math.max(...summaries.map(({ high }) => high));
  const x = (value: number) => (labelWidth + (value / max) * barWidth).toFixed(1);
  const bars = summaries.map(({ name, low, median, high }, n) => {
    const y = 34 + n * rowHeight;
    return [
      `<text x="${labelWidth - 8}" y="${y + 12}" text-anchor="end">${escapeText(name)}</text>`,
      `<rect x="${labelWidth}" y="${y}" width="${(Number(x(median)) - labelWidth).toFixed(1)}" height="16" fill="#4f7cac"/>`,
      `<path d="M${x(low)} ${y + 8}H${x(high)}" stroke="#1b2a41" stroke-width="2"/>`,
      `<text x="${Number(x(high)) + 6}" y="${y + 12}">${median.toFixed(median < 100 ? 1 : 0)}</text>`,
    ].join('');
  });
  const height = 44 + rows.length * rowHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + barWidth + 70} ${height}" font-family="sans-serif" font-size="12"><title>${escapeText(title)}</title><rect width="100%" height="100%" fill="#fff"/><text x="8" y="20" font-weight="bold">${escapeText(`${title} (${unit})`)}</text>${bars.join('')}</svg>\n`;
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
