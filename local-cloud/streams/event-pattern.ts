import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';

export type EventPattern = (event: unknown) => boolean;

/**
 * `values` contains a field's value or, for an array, its items; it is empty if the field is
 * missing.
 */
type Matcher = (values: readonly unknown[]) => boolean;

const Scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const Exists = v.strictObject({ exists: v.boolean() });
const Prefix = v.strictObject({ prefix: v.string() });

/**
 * Parses the event pattern of a mapping's filter or an event rule. Throws a Problem for operators
 * other than exact values, `exists` and `prefix`.
 */
export const parseEventPattern = (text: string): EventPattern => parseGroup(JSON.parse(text));

function parseGroup(pattern: unknown): EventPattern {
  if (!isObject(pattern)) throw createUnsupportedProblem(pattern);
  const conditions = Object.entries(pattern).map(([name, inner]): EventPattern => {
    const field = (event: unknown) =>
      isObject(event) && Object.hasOwn(event, name) ? event[name] : undefined;
    if (!Array.isArray(inner)) {
      const matches = parseGroup(inner);
      return (event) => matches(field(event));
    }
    const matchers = inner.map(parseMatcher);
    return (event) => {
      const value = field(event);
      const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
      return matchers.some((matches) => matches(values));
    };
  });
  return (event) => conditions.every((matches) => matches(event));
}

function parseMatcher(rule: unknown): Matcher {
  if (v.is(Scalar, rule)) return (values) => values.includes(rule);
  if (v.is(Exists, rule)) return (values) => values.length > 0 === rule.exists;
  if (!v.is(Prefix, rule)) throw createUnsupportedProblem(rule);
  return (values) =>
    values.some((value) => typeof value === 'string' && value.startsWith(rule.prefix));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const createUnsupportedProblem = (part: unknown) =>
  new Problem(`Unsupported event pattern ${JSON.stringify(part)}`);
