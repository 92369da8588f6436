import type { Budget } from '../../../commands/cost/budgets.ts';
import { usage } from '../../../shared/log/usage.ts';

/** What a call has asked of the table, in the words of the budgets: what DynamoDB Local says, of no group in particular. */
export async function measureCost(call: Promise<unknown>): Promise<Budget> {
  await call;
  const { table_calls, read_units, write_units } = usage;
  return { calls: table_calls, reads: read_units, writes: write_units };
}

/** The budget as it is measured here, of somebody with that many groups. */
export const toMeasuredBudget = (
  { calls, reads, writes, perGroup }: Budget,
  groups = 0,
): Budget => ({
  calls: calls + groups * (perGroup?.calls ?? 0),
  reads: reads + groups * (perGroup?.reads ?? 0),
  writes,
});
