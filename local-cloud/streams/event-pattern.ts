import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';

/** Reports whether an event matches the pattern. */
export type EventPattern = (event: unknown) => boolean;

/** Content of a field: nothing, a value, or the items of an array (one must match). */
type Matcher = (values: readonly unknown[]) => boolean;

const Text = v.string();
const Scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const Numeric = v.array(v.union([v.string(), v.number()]));
const Excluded = v.union([
  v.pipe(
    Scalar,
    v.transform((value) => [value]),
  ),
  v.array(Scalar),
  v.strictObject({ prefix: Text }),
  v.strictObject({ suffix: Text }),
]);

/** Parses the event pattern of FilterCriteria, a JSON text. */
export const parseEventPattern = (text: string): EventPattern => parseGroup(JSON.parse(text));

function parseGroup(pattern: unknown): EventPattern {
  if (!isObject(pattern)) throw createUnsupportedProblem(pattern);
  const conditions = Object.entries(pattern).map(([name, inner]): EventPattern => {
    if (name === '$or') {
      if (!Array.isArray(inner)) throw createUnsupportedProblem(pattern);
      const alternatives = inner.map(parseGroup);
      return (event) => alternatives.some((matches) => matches(event));
    }
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
  if (!isObject(rule)) throw createUnsupportedProblem(rule);
  const [[name, argument] = ['', undefined], ...others] = Object.entries(rule);
  if (others.length > 0) throw createUnsupportedProblem(rule);
  const someText = (test: (text: string) => boolean): Matcher => {
    return (values) => values.some((value) => typeof value === 'string' && test(value));
  };
  switch (name) {
    case 'exists':
      return (values) => values.length > 0 === v.parse(v.boolean(), argument);
    case 'prefix': {
      const prefix = v.parse(Text, argument);
      return someText((text) => text.startsWith(prefix));
    }
    case 'suffix': {
      const suffix = v.parse(Text, argument);
      return someText((text) => text.endsWith(suffix));
    }
    case 'equals-ignore-case': {
      const wanted = v.parse(Text, argument).toLowerCase();
      return someText((text) => text.toLowerCase() === wanted);
    }
    case 'anything-but':
      return parseAnythingBut(argument);
    case 'numeric':
      return parseNumeric(v.parse(Numeric, argument));
    default:
      throw createUnsupportedProblem(rule);
  }
}

function parseAnythingBut(argument: unknown): Matcher {
  const excluded = v.parse(Excluded, argument);
  if (Array.isArray(excluded)) {
    return (values) => values.some((value) => !excluded.some((other) => other === value));
  }
  const matches = parseMatcher(excluded);
  return (values) => values.some((value) => !matches([value]));
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '=': (value, bound) => value === bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** `[">", 0, "<=", 5]` */
function parseNumeric(terms: readonly (string | number)[]): Matcher {
  const tests = Array.from({ length: terms.length / 2 }, (_, index) => {
    const compare = comparisons[String(terms[2 * index])];
    const bound = terms[2 * index + 1];
    if (!compare || typeof bound !== 'number') throw createUnsupportedProblem({ numeric: terms });
    return (value: number) => compare(value, bound);
  });
  return (values) =>
    values.some((value) => typeof value === 'number' && tests.every((test) => test(value)));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const createUnsupportedProblem = (part: unknown) =>
  new Problem(`Unsupported event pattern ${JSON.stringify(part)}`);
