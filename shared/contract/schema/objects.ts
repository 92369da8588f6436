/** Accepts an object, but not an array, which valibot's object schemas accept. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rejects names that JavaScript objects inherit, instead of dropping them silently. */
export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export const sortFields = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
