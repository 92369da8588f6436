import { operations } from '../../shared/contract/operations.ts';
import { checkMemoryGrowth, type MemoryFigures } from './memory/check-growth.ts';
import type { SoakOutcome } from './soak.ts';

/** Minimum number of requests per refusal or timeout. Overload can cause a few failures. */
const minRequestsPerRefusal = 1000;

/** Minimum duration, in milliseconds, of a run that must call every operation. */
const minFullRunMilliseconds = 2 * 60_000;

export interface RunEvaluation {
  /** Reasons for the failure; empty if the run passed. */
  faults: string[];
  memory: MemoryFigures[];
}

const isFailure = (status: number): boolean => status === 0 || status >= 500;

export function evaluateRun(outcome: SoakOutcome): RunEvaluation {
  const { violations, statistics, leftOver, samples } = outcome;
  const statuses = [...statistics.statuses()];
  const refused = statuses.reduce((sum, [status, n]) => sum + (isFailure(status) ? n : 0), 0);
  const memory = checkMemoryGrowth(samples);
  const requested = new Set(statistics.operations().map(({ operation }) => operation));
  const unrequested = operations.filter(({ id }) => !requested.has(id)).map(({ id }) => id);
  return {
    memory,
    faults: [
      ...(violations > 0 ? [`${violations} violations`] : []),
      ...(refused * minRequestsPerRefusal > statistics.requests()
        ? [`${refused} of ${statistics.requests()} requests were refused or timed out`]
        : []),
      ...(outcome.duration >= minFullRunMilliseconds && unrequested.length > 0
        ? [`never requested: ${unrequested.join(', ')}`]
        : []),
      ...(leftOver ? [`${leftOver} items of deleted conversations are left`] : []),
      ...memory.flatMap(({ process, isGrowing }) =>
        isGrowing ? [`the memory of ${process} grows`] : [],
      ),
    ],
  };
}
