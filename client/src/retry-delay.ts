/** 32 hexadecimal digits that nobody else has. Where there is no `crypto` (React Native), chance is enough for a name. */
export function createIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  if (typeof crypto === 'undefined') for (const n of bytes.keys()) bytes[n] = Math.random() * 256;
  else crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Milliseconds to wait before the next try, after so many: a chance of up to 300, 600, 1,200 … , of `most` in the end, so
 * that all who failed together do not come back together.
 */
export const getRetryDelay = (attempts: number, maxDelay = 8000, first = 300): number =>
  Math.random() * Math.min(maxDelay, first * 2 ** attempts);
