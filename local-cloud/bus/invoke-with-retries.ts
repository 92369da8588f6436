import { setTimeout } from 'node:timers/promises';
import { Problem } from '../../lib/problem.ts';
import type { Outcome } from '../functions/thread-protocol.ts';

/** Milliseconds before the first and the second retry. Lambda waits 1 minute, then 2 minutes. */
const retryPauses = [1000, 2000];

/**
 * Calls `invoke`, and retries a failure at most twice, as Lambda does for asynchronous invocations.
 * Throws a Problem if the last attempt fails.
 */
export async function invokeWithRetries(invoke: () => Promise<Outcome>): Promise<void> {
  let outcome = await invoke();
  for (const milliseconds of retryPauses) {
    if (outcome.ok) return;
    await setTimeout(milliseconds, undefined, { ref: false });
    outcome = await invoke();
  }
  if (!outcome.ok) throw new Problem(outcome.failure.errorMessage);
}
