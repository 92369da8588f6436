import type { ApiError } from '../../errors.ts';
import { transact, update, type Write } from './access.ts';

/** A part of a change that is made as a whole or not at all. */
export interface Step {
  write: Write;
  /** What to tell when its condition does not hold; without it, somebody was quicker. */
  refusal?: ApiError;
}

/**
 * Takes all the steps or none; gives whether it has, or throws the refusal of one whose condition
 * does not hold.
 */
export async function takeAll(steps: Step[]): Promise<boolean> {
  const { done, outcomes } = await make(steps.map(({ write }) => write));
  for (const [n, { refusal }] of steps.entries()) {
    if (refusal && outcomes[n]?.held === false) throw refusal;
  }
  return done;
}

/** On its own, an update costs half of what it costs in a transaction. */
async function make(writes: Write[]): Promise<{ done: boolean; outcomes: { held: boolean }[] }> {
  const [first] = writes;
  if (writes.length > 1 || !first || !('update' in first)) return transact(writes);
  const { done } = await update(first.update);
  return { done, outcomes: [{ held: done }] };
}
