import type { Span } from '../exchange.ts';

/**
 * A value that people set and read at the same time. What was set between two known moments may be seen from the first
 * on, and must be from the second on, unless something was set later.
 */
export interface Register<Value> {
  writes: Write<Value>[];
}

export interface Write<Value> {
  value: Value;
  begun: number;
  /** Infinity while it is not known to have happened. */
  ended: number;
}

export const registerOf = <Value>(value: Value): Register<Value> => ({
  writes: [{ value, begun: -1, ended: -1 }],
});

/** `horizon`: the begin of the oldest request under way; what nobody can see any more is forgotten. */
export function beginWrite<Value>(
  register: Register<Value>,
  value: Value,
  begun: number,
  horizon: number,
): Write<Value> {
  const write = { value, begun, ended: Number.POSITIVE_INFINITY };
  const span = { begun: horizon, ended: begun };
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
export const candidates = <Value>(register: Register<Value>, span: Span): Write<Value>[] =>
  register.writes.filter((one) => one.begun < span.ended && !isOver(register, one, span));

export const possibleValues = <Value>(register: Register<Value>, span: Span): Set<Value> =>
  new Set(candidates(register, span).map(({ value }) => value));

/**
 * Whether a reading may have found the value. Whoever has seen it knows that it was set: from then on nobody may see what
 * was there before.
 */
export function observe<Value>(register: Register<Value>, span: Span, value: Value): boolean {
  const fitting = candidates(register, span).filter((one) => one.value === value);
  const [only] = fitting;
  if (only && fitting.length === 1) endWrite(only, span.ended);
  return fitting.length > 0;
}

/** Something was set after it, before the reading began. */
const isOver = <Value>(register: Register<Value>, write: Write<Value>, { begun }: Span): boolean =>
  register.writes.some((later) => write.ended < later.begun && later.ended < begun);
