import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';

const line = ({ method, path, summary }: Operation) => `- \`${method} ${path}\`: ${summary}`;

/** List of operations for docs/api.md. */
export const operationsList = operations.map(line).join('\n');
