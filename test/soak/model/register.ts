import type { Span } from '../exchange/exchange.ts';

/**
 * A value with concurrent writes and reads. Reads may return the written value after the write
 * starts, and must return it after the write ends, unless a later write replaces it.
 */
export interface Register<Value> {
  writes: Write<Value>[];
}

export interface Write<Value> {
  value: Value;
  startOrder: number;
  /** Infinity until the write is confirmed. */
  ended: number;
}

export const createRegister = <Value>(value: Value): Register<Value> => ({
  writes: [{ value, startOrder: -1, ended: -1 }],
});

/**
 * Adds a write, and discards values that are no longer readable. `horizon` is the start of the
 * oldest pending request.
 */
export function beginWrite<Value>(
  register: Register<Value>,
  value: Value,
  startOrder: number,
  horizon: number,
): Write<Value> {
  const write = { value, startOrder, ended: Number.POSITIVE_INFINITY };
  const span = { startOrder: horizon, ended: startOrder };
  register.writes = register.writes.filter((one) => !isReplaced(register, one, span));
  register.writes.push(write);
  return write;
}

/** Confirms the write. If it was already confirmed, keeps the earlier end. */
export function endWrite(write: Write<unknown>, ended: number): void {
  write.ended = Math.min(write.ended, ended);
}

/** Removes a rejected write. Returns false if a read has already returned the written value. */
export function undoWrite<Value>(register: Register<Value>, write: Write<Value>): boolean {
  register.writes = register.writes.filter((one) => one !== write);
  return write.ended === Number.POSITIVE_INFINITY;
}

/** Returns the writes whose values a read during the span may have returned. */
export const getPossibleWrites = <Value>(register: Register<Value>, span: Span): Write<Value>[] =>
  register.writes.filter((one) => one.startOrder < span.ended && !isReplaced(register, one, span));

export const getPossibleValues = <Value>(register: Register<Value>, span: Span): Set<Value> =>
  new Set(getPossibleWrites(register, span).map(({ value }) => value));

/**
 * Reports whether a read may have returned the value. If exactly one write matches, confirms the
 * write: later reads must not return older values.
 */
export function observeValue<Value>(register: Register<Value>, span: Span, value: Value): boolean {
  const matching = getPossibleWrites(register, span).filter((one) => one.value === value);
  const [only] = matching;
  if (only && matching.length === 1) endWrite(only, span.ended);
  return matching.length > 0;
}

/** Reports whether a later write replaced the write before the read started. */
const isReplaced = <Value>(
  register: Register<Value>,
  write: Write<Value>,
  { startOrder }: Span,
): boolean =>
  register.writes.some((later) => write.ended < later.startOrder && later.ended < startOrder);
