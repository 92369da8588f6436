import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';

const line = ({ id, method, path, summary }: Operation) =>
  `| \`${method}\` | \`${path}\` | ${summary} | [${id}](../functions/${id}.ts) |`;

/** Table of operations for a page in docs/. */
export const operationsTable = [
  '| Method | Path | Operation | Handler |',
  '|---|---|---|---|',
  ...operations.map(line),
].join('\n');
