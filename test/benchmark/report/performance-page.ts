import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { plot } from './plot.ts';
import { type Section, toCells } from './section.ts';

const docs = join(import.meta.dirname, '../../../docs');

export async function writePerformancePage(sections: readonly Section[]): Promise<void> {
  await mkdir(join(docs, 'images'), { recursive: true });
  for (const section of sections) {
    await writeFile(join(docs, 'images', `${section.id}.svg`), plot(section));
  }
  await writeFile(join(docs, 'performance.md'), toPage(sections));
}

export const toPage = (sections: readonly Section[]): string =>
  `${[
    '# Performance',
    [
      '`npm run bench -- --write` wrote this page. Each run alternates between the compared programs, so other load affects',
      'them equally. Compare ratios, because times depend on the machine.',
    ].join('\n'),
    `Last run: ${new Date().toISOString().slice(0, 10)}, Node.js ${process.version}, ${cpus().length} cores.`,
    ...sections.map(toSection),
  ].join('\n\n')}\n`;

/** Formats a section. If it has no ratios, omits the table, because the plot shows the values. */
const toSection = (section: Section): string =>
  [
    `## ${section.title}`,
    section.explanation,
    ...(section.hasRatio ? [toTable(section)] : []),
    `![Plot: ${section.title}](images/${section.id}.svg)`,
  ].join('\n\n');

function toTable(section: Section): string {
  const [heading = [], ...rows] = toCells(section);
  return [heading, heading.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
