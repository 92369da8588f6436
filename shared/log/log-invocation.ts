import { getInvocationFacts } from './invocation.ts';
import { type LogLine, log } from './log.ts';
import { withMetrics } from './metrics.ts';

interface InvocationOutcome {
  operation: string;
  /** Whether the invocation failed through no fault of the caller. */
  fault: boolean;
  [fact: string]: unknown;
}

/** Writes the log line of an invocation. CloudWatch extracts the metrics from the line. */
export const logInvocation = (
  invocation: { awsRequestId?: string },
  { fault, ...facts }: InvocationOutcome,
  level: LogLine['level'] = fault ? 'ERROR' : 'INFO',
): void =>
  log({
    level,
    ...withMetrics({ ...facts, ...getInvocationFacts(invocation), fault: Number(fault) }),
  });
