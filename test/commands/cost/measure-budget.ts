import type { Budget } from '../../../commands/cost/budgets.ts';
import { usage } from '../../../shared/log/usage.ts';

/** Awaits a handler's call, and returns the table usage that DynamoDB Local reports. */
export async function measureCost(call: Promise<unknown>): Promise<Budget> {
  await call;
  const { table_calls, read_units, write_units } = usage;
  return { calls: table_calls, reads: read_units, writes: write_units };
}

/**
 * Returns the budget that DynamoDB Local reports for a caller in the given number of groups. Omits
 * the units that only AWS charges.
 */
export const toMeasuredBudget = (
  { calls, reads, writes, perGroup }: Budget,
  groups = 0,
): Budget => ({
  calls: calls + groups * (perGroup?.calls ?? 0),
  reads: reads + groups * (perGroup?.reads ?? 0),
  writes,
});
