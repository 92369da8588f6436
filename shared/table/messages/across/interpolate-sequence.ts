/** A sequence number and the time (milliseconds) of its message. */
export interface SearchBound {
  sequence: number;
  time: number;
}

/**
 * Probes in addition to those of a bisection. More pay off only if messages are evenly spaced in
 * time.
 */
export const extraProbes = 2;

/**
 * Interpolates a sequence number. Neither the part of the range below it nor the part above it is
 * longer than `maxLength` or, if that is larger, half the range.
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
