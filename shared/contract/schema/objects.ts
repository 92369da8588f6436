/**
 * Reports whether a value is an object but not an array: valibot's object schemas also accept
 * arrays.
 */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Field names with a special meaning in JavaScript objects. Validation rejects these names instead
 * of silently dropping the fields.
 */
export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export const sortFields = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
