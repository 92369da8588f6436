import { operations } from '../../shared/contract/operations.ts';
import { checkMemoryGrowth, type MemoryFigures } from './memory/check-growth.ts';
import type { SoakOutcome } from './soak.ts';

/** One in so many requests may be refused for want of strength: this runs on all kinds of machines. */
const minRequestsPerRefusal = 1000;

/** After so long, chance has had time to come to every operation. */
const minMemoryMilliseconds = 2 * 60_000;

export interface RunEvaluation {
  /** Why the soak has failed; empty when it has not. */
  faults: string[];
  memory: MemoryFigures[];
}

const isFailure = (status: number): boolean => status === 0 || status >= 500;

export function evaluateRun(outcome: SoakOutcome): RunEvaluation {
  const { violations, statistics, leftOver, samples } = outcome;
  const statuses = [...statistics.statuses()];
  const refused = statuses.reduce((sum, [status, n]) => sum + (isFailure(status) ? n : 0), 0);
  const memory = checkMemoryGrowth(samples);
  const asked = new Set(statistics.operations().map(({ operation }) => operation));
  const unasked = operations.filter(({ id }) => !asked.has(id)).map(({ id }) => id);
  return {
    memory,
    faults: [
      ...(violations > 0 ? [`${violations} violations`] : []),
      ...(refused * minRequestsPerRefusal > statistics.requests()
        ? [`${refused} of ${statistics.requests()} requests were refused, or not answered in time`]
        : []),
      ...(outcome.duration >= minMemoryMilliseconds && unasked.length > 0
        ? [`nobody has asked ${unasked.join(', ')}`]
        : []),
      ...(leftOver ? [`${leftOver} items of deleted conversations are left`] : []),
      ...memory.flatMap(({ process, grows }) => (grows ? [`the memory of ${process} grows`] : [])),
    ],
  };
}
