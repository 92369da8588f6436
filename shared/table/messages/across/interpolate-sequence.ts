/**
 * A sequence number and a time in milliseconds. If the sequence number belongs to a message, the
 * time is the message's time.
 */
export interface SearchBound {
  sequence: number;
  time: number;
}

/**
 * Number of probes allowed in addition to the probes that a bisection needs. More probes help only
 * if messages are evenly spaced.
 */
export const extraProbes = 2;

/**
 * Estimates the sequence number at a time (milliseconds), assuming evenly spaced messages. The
 * result divides the range into two parts. The maximum length of each part is `maxLength` or half
 * the range, whichever is longer.
 */
export function interpolateSequence(
  time: number,
  low: SearchBound,
  high: SearchBound,
  maxLength: number,
): number {
  const length = high.sequence - low.sequence;
  const fraction = high.time > low.time ? (time - low.time) / (high.time - low.time) : 1 / 2;
  const longest = Math.max(maxLength, length / 2);
  return clamp(high.sequence - longest, low.sequence + fraction * length, low.sequence + longest);
}

const clamp = (min: number, value: number, max: number): number =>
  Math.min(Math.max(value, min), max);
