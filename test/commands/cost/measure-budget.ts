import type { Budget } from '../../../commands/cost/budgets.ts';
import { usage } from '../../../shared/log/usage.ts';

export async function measureCost(call: Promise<unknown>): Promise<Budget> {
  await call;
  const { table_calls, read_units, write_units } = usage;
  return { calls: table_calls, reads: read_units, writes: write_units };
}

/** Returns a budget for a caller in `groups` groups, without the units that only AWS charges. */
export const toMeasuredBudget = (
  { calls, reads, writes, perGroup }: Budget,
  groups = 0,
): Budget => ({
  calls: calls + groups * (perGroup?.calls ?? 0),
  reads: reads + groups * (perGroup?.reads ?? 0),
  writes,
});
