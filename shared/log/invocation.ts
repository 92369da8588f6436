import { resetUsage } from './usage.ts';

/** State of the current invocation. An environment runs one invocation at a time. */
let startedAt = 0;
let begun = 0;
let conflicts = 0;
let lostMarks = 0;

/** Starts an invocation. A function whose log lines contain `invocationFacts` calls it first. */
export function beginInvocation(): void {
  startedAt = performance.now();
  begun += 1;
  conflicts = 0;
  lostMarks = 0;
  resetUsage();
}

/** Counts a write that conflicted with another write of the same item and is retried. */
export const noteConflict = (): void => {
  conflicts += 1;
};

/** Counts a read mark or an opening that could not be written. The reply is sent regardless. */
export const noteLostMark = (): void => {
  lostMarks += 1;
};

/** Returns the facts of the invocation for its log line. */
export const invocationFacts = ({ awsRequestId }: { awsRequestId?: string }) => ({
  milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  /** 0 or 1, because only numbers can be summed. */
  cold_start: Number(begun === 1),
  conflicts,
  /** Present only if greater than 0. */
  lost_marks: lostMarks || undefined,
  /** Lambda's id of the invocation, `requestId` in Lambda's own lines. */
  invocation: awsRequestId,
  trace: traceId(),
});

/**
 * Extracts the trace id from `Root=1-…;Parent=…;Sampled=…`, also in the logs of the gateway and the
 * authorizer.
 */
const traceId = (): string | undefined =>
  /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
