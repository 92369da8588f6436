import type { ApiError } from '../../errors.ts';
import { transact, update, type Write } from './access.ts';

/** A part of a change that is made as a whole or not at all. */
export interface Step {
  write: Write;
  /** What to tell when its condition does not hold; without it, somebody was quicker. */
  refusal?: ApiError;
}

/** Takes all the steps or none; gives whether it has, or throws the refusal of one whose condition does not hold. */
export async function takeAll(steps: Step[]): Promise<boolean> {
  const writes = steps.map(({ write }) => write);
  const [first] = writes;
  // On its own, an update costs half of what it costs in a transaction.
  if (first && 'update' in first && writes.length === 1) return (await update(first.update)).done;
  const { done, outcomes } = await transact(writes);
  for (const [n, { held }] of outcomes.entries()) {
    const refusal = steps[n]?.refusal;
    if (!held && refusal) throw refusal;
  }
  return done;
}
