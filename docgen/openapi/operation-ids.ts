import type { Operation } from '../../shared/contract/operation.ts';
import * as contract from '../../shared/contract/operations.ts';

const names = new Map<unknown, string>(Object.entries(contract).map(([name, row]) => [row, name]));

/**
 * Returns the operation's export name in the contract, such as `sendMessage`. Generated clients use
 * this name for the function.
 */
export function getOperationId(row: Operation): string {
  const name = names.get(row);
  if (name) return name;
  throw new Error(`${row.id} is not exported from shared/contract/operations.`);
}
