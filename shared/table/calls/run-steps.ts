import type { ApiError } from '../../api-error.ts';
import { transact, update, type Write } from './access.ts';

export interface Step {
  write: Write;
  /**
   * Error to throw if the condition fails. Absent if a failed condition means that another writer
   * was first.
   */
  refusal?: ApiError;
}

/**
 * Runs all steps or none, and reports whether they ran. If a step's condition fails, throws the
 * step's `refusal`, if any.
 */
export async function runSteps(steps: Step[]): Promise<boolean> {
  const { done, outcomes } = await runWrites(steps.map(({ write }) => write));
  for (const [n, { refusal }] of steps.entries()) {
    if (refusal && outcomes[n]?.isSatisfied === false) throw refusal;
  }
  return done;
}

/**
 * Runs the writes in one transaction. Runs a single update without a transaction, which halves its
 * cost.
 */
async function runWrites(
  writes: Write[],
): Promise<{ done: boolean; outcomes: { isSatisfied: boolean }[] }> {
  const [first] = writes;
  if (writes.length > 1 || !first || !('update' in first)) return transact(writes);
  const { done } = await update(first.update);
  return { done, outcomes: [{ isSatisfied: done }] };
}
