/**
 * Returns 32 random hexadecimal digits. Without `crypto`, as in React Native, uses `Math.random`,
 * which is random enough for a key.
 */
export function createIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  if (typeof crypto === 'undefined') for (const n of bytes.keys()) bytes[n] = Math.random() * 256;
  else crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
