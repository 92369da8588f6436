import * as v from 'valibot';
import { describeSchema, isSchema } from '../../contract/schema/describe-schema.ts';
import type { FormFields, FormValue } from './form.ts';

/**
 * Converts text of a form or query to the types of the schema: numerals to numbers, `true` and
 * `false` to booleans, the empty string to null if nullable, and `[0]`, `[1]` … to list items.
 * Leaves other text unchanged for the schema to validate.
 */
export function coerce(schema: unknown, value: FormValue): unknown {
  const { nullable, type, item, fields, value: valueSchema, options } = describeSchema(schema);
  if (value === '' && nullable) return null;
  if (options) return coerceToUnion(options, value);
  if (typeof value === 'string') return scalar(type, value);
  const items = item ? toListItems(value) : undefined;
  if (items) return items.map((one) => coerce(item, one));
  if (Array.isArray(value)) return value.map((one) => coerce(undefined, one));
  return Object.fromEntries(
    [...value].map(([name, inner]) => [name, coerce(valueSchema ?? fields?.get(name), inner)]),
  );
}

/**
 * Converts the value for the first alternative that accepts the result. If no alternative accepts
 * its result, uses the alternative with the deepest fault, which the client probably intended.
 */
function coerceToUnion(options: readonly unknown[], value: FormValue): unknown {
  const readings = options.filter(isSchema).map((schema) => {
    const reading = coerce(schema, value);
    const { success, issues = [] } = v.safeParse(schema, reading);
    return { reading, success, depth: Math.max(0, ...issues.map(({ path }) => path?.length ?? 0)) };
  });
  const fitting = readings.find(({ success }) => success);
  return (fitting ?? readings.toSorted((a, b) => b.depth - a.depth)[0])?.reading;
}

function scalar(type: string, text: string): unknown {
  if (type === 'number' && /^-?\d{1,300}(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Returns a list's items, or the values of numbered fields in numeric order; otherwise `undefined`.
 */
function toListItems(value: FormFields | FormValue[]): FormValue[] | undefined {
  if (Array.isArray(value)) return value;
  const numbered = [...value].map(([name, item]) => ({ index: Number(name), name, item }));
  if (!numbered.every(({ name }) => /^\d{1,4}$/.test(name))) return undefined;
  return numbered.sort((a, b) => a.index - b.index).map(({ item }) => item);
}
