import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';

const line = ({ id, method, path, summary, description }: Operation) =>
  `| \`${method}\` | \`${path}\` | **${summary}.** ${description} | [${id}](../functions/${id}.ts) |`;

/** Returns the table of operations for a page in docs/. */
export const operationsTable = [
  '| Method | Path | What it does | Handler |',
  '|---|---|---|---|',
  ...operations.map(line),
].join('\n');
