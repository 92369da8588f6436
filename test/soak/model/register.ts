import type { Span } from '../exchange/exchange.ts';

/**
 * A value that people set and read at the same time. What was set between two known moments may be seen from the first
 * on, and must be from the second on, unless something was set later.
 */
export interface Register<Value> {
  writes: Write<Value>[];
}

export interface Write<Value> {
  value: Value;
  startOrder: number;
  /** Infinity while it is not known to have happened. */
  ended: number;
}

export const createRegister = <Value>(value: Value): Register<Value> => ({
  writes: [{ value, startOrder: -1, ended: -1 }],
});

/** `horizon`: the begin of the oldest request under way; what nobody can see any more is forgotten. */
export function beginWrite<Value>(
  register: Register<Value>,
  value: Value,
  startOrder: number,
  horizon: number,
): Write<Value> {
  const write = { value, startOrder, ended: Number.POSITIVE_INFINITY };
  const span = { startOrder: horizon, ended: startOrder };
  register.writes = register.writes.filter((one) => !isOver(register, one, span));
  register.writes.push(write);
  return write;
}

/** It has happened, by then at the latest. */
export function endWrite(write: Write<unknown>, ended: number): void {
  write.ended = Math.min(write.ended, ended);
}

/** It was refused. False if it was seen all the same. */
export function undoWrite<Value>(register: Register<Value>, write: Write<Value>): boolean {
  register.writes = register.writes.filter((one) => one !== write);
  return write.ended === Number.POSITIVE_INFINITY;
}

/** What a reading that was under way then may have found. */
export const getPossibleWrites = <Value>(register: Register<Value>, span: Span): Write<Value>[] =>
  register.writes.filter((one) => one.startOrder < span.ended && !isOver(register, one, span));

export const getPossibleValues = <Value>(register: Register<Value>, span: Span): Set<Value> =>
  new Set(getPossibleWrites(register, span).map(({ value }) => value));

/**
 * Whether a reading may have found the value. Whoever has seen it knows that it was set: from then on nobody may see what
 * was there before.
 */
export function observeValue<Value>(register: Register<Value>, span: Span, value: Value): boolean {
  const fitting = getPossibleWrites(register, span).filter((one) => one.value === value);
  const [only] = fitting;
  if (only && fitting.length === 1) endWrite(only, span.ended);
  return fitting.length > 0;
}

/** Something was set after it, before the reading began. */
const isOver = <Value>(
  register: Register<Value>,
  write: Write<Value>,
  { startOrder }: Span,
): boolean =>
  register.writes.some((later) => write.ended < later.startOrder && later.ended < startOrder);
