import { judgeMemory, type MemoryFigures } from './memory/judge.ts';
import type { SoakOutcome } from './soak.ts';

/** One in so many requests may be refused for want of strength: this runs on all kinds of machines. */
const refusalsAtMostOneIn = 1000;

export interface Verdict {
  /** Why the soak has failed; empty when it has not. */
  faults: string[];
  memory: MemoryFigures[];
}

export function verdictOf(outcome: SoakOutcome): Verdict {
  const { violations, statistics, leftOver, samples } = outcome;
  const refused = statistics.statuses().get(503) ?? 0;
  const memory = judgeMemory(samples);
  return {
    memory,
    faults: [
      ...(violations > 0 ? [`${violations} violations`] : []),
      ...(refused * refusalsAtMostOneIn > statistics.requests()
        ? [`${refused} of ${statistics.requests()} requests were answered with 503`]
        : []),
      ...(leftOver ? [`${leftOver} items of deleted conversations are left`] : []),
      ...memory.flatMap(({ process, grows }) => (grows ? [`the memory of ${process} grows`] : [])),
    ],
  };
}
