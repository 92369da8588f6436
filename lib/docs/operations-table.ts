import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';

const begin = '<!-- operations -->';
const end = '<!-- /operations -->';

/** The README with its table of operations made anew, between the two markers; the rest stays as it is. */
export function withOperationsTable(readme: string): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(
      `README.md needs the lines ${begin} and ${end}: the operations go between them.`,
    );
  }
  return `${readme.slice(0, from + begin.length)}\n\n${table}\n\n${readme.slice(to)}`;
}

const line = ({ id, method, path, summary, description }: Operation) =>
  `| \`${method}\` | \`${path}\` | **${summary}.** ${description} | [${id}](functions/${id}.ts) |`;

const table = [
  '| Method | Path | What it does | Handler |',
  '|---|---|---|---|',
  ...operations.map(line),
].join('\n');
