/** An object with fields: a list is none, which valibot's own object schemas take for one. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that JavaScript objects treat as their own: refused rather than dropped on the way. */
export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * An object with its fields in the order of their names, which says nothing; anything else as it
 * is.
 */
export const sorted = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
