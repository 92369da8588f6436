/** A sequence number and the time (milliseconds) of its message. */
export interface SearchBound {
  sequence: number;
  time: number;
}

/**
 * Number of probes allowed beyond those of a bisection. A higher number helps only if messages are
 * evenly spaced.
 */
export const extraProbes = 2;

/**
 * Interpolates the sequence number at a time (milliseconds). The result divides the range into two
 * parts. Neither is longer than `maxLength` or half the range, whichever is longer.
 */
export function interpolateSequence(
  time: number,
  low: SearchBound,
  high: SearchBound,
  maxLength: number,
): number {
  const length = high.sequence - low.sequence;
  const share = high.time > low.time ? (time - low.time) / (high.time - low.time) : 1 / 2;
  const longest = Math.max(maxLength, length / 2);
  return clamp(high.sequence - longest, low.sequence + share * length, low.sequence + longest);
}

const clamp = (min: number, value: number, max: number): number =>
  Math.min(Math.max(value, min), max);
