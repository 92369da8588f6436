import { resetUsage } from './usage.ts';

/** The invocation at hand: Lambda runs one at a time in an environment. */
let startedAt = 0;
let begun = 0;
let conflicts = 0;
let lostMarks = 0;

/** To be called first by a function whose lines say `invocationFacts`. */
export function beginInvocation(): void {
  startedAt = performance.now();
  begun += 1;
  conflicts = 0;
  lostMarks = 0;
  resetUsage();
}

/** A write met another of the same item, and has to come again. */
export const noteConflict = (): void => {
  conflicts += 1;
};

/** A read mark or an opening could not be written; what was asked for is given all the same. */
export const noteLostMark = (): void => {
  lostMarks += 1;
};

/** What the line about an invocation says of it. */
export const invocationFacts = ({ awsRequestId }: { awsRequestId?: string }) => ({
  milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  /** 0 or 1, as only numbers can be summed up. */
  cold_start: Number(begun === 1),
  conflicts,
  /** Only where there are any. */
  lost_marks: lostMarks || undefined,
  /** Lambda's own id of it, which Lambda's lines have as `requestId`. */
  invocation: awsRequestId,
  trace: traceId(),
});

/** `Root=1-…;Parent=…;Sampled=…` → 1-…, which the gateway's log and the authorizer's have too. */
const traceId = (): string | undefined =>
  /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
