import { resetUsage } from './usage.ts';

/**
 * State of the current invocation, and the number of invocations so far. An environment runs one
 * invocation at a time.
 */
let startedAt = 0;
let invocationCount = 0;
let conflicts = 0;
let lostMarks = 0;
let overdueScans = 0;

/** Resets the state of the invocation. Call this before `getInvocationFacts`. */
export function beginInvocation(): void {
  startedAt = getMilliseconds();
  invocationCount += 1;
  conflicts = 0;
  lostMarks = 0;
  overdueScans = 0;
  resetUsage();
}

/** Counts a write that DynamoDB rejected because of a concurrent write to the same item. */
export const recordConflict = (): void => {
  conflicts += 1;
};

/** Counts a failed best-effort write, such as a read mark. The request still succeeds. */
export const recordLostMark = (): void => {
  lostMarks += 1;
};

/** Counts a sent file whose malware scan is overdue. */
export const recordOverdueScan = (): void => {
  overdueScans += 1;
};

export const getInvocationFacts = ({ awsRequestId }: { awsRequestId?: string }) => ({
  milliseconds: Math.round((getMilliseconds() - startedAt) * 10) / 10,
  /** 0 or 1, because only numbers can be summed. */
  cold_start: Number(invocationCount === 1),
  conflicts,
  /** Present only if greater than 0. */
  lost_marks: lostMarks || undefined,
  /** Present only if greater than 0. */
  overdue_scans: overdueScans || undefined,
  /** Id of the invocation, `requestId` in Lambda's own log lines. */
  invocation: awsRequestId,
  trace: getTraceId(),
});

/** Returns the trace id, which the gateway and the authorizer also log. */
const getTraceId = (): string | undefined =>
  /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];

/**
 * Returns a monotonic time in milliseconds. Avoids `performance.now`, whose first call makes Node
 * load node:perf_hooks.
 */
const getMilliseconds = () => Number(process.hrtime.bigint()) / 1e6;
