/** Reports whether a value is an object but not an array. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Field names with a special meaning in JavaScript. Validation rejects them, because otherwise the
 * fields would silently be dropped.
 */
export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export const sortFields = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
