/** An object with fields: a list is none, which valibot's own object schemas take for one. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that JavaScript objects treat as their own: refused rather than dropped on the way. */
export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];
