import * as v from 'valibot';
import { isSchema, shapeOf } from '../contract/shape.ts';
import type { FormFields, FormValue } from './form.ts';

/**
 * Reads text as the type that the schema wants, so that a form or a query means what the same JSON would: digits where
 * a number is wanted, `true` and `false`, the empty text as null where null is accepted, `[0]`, `[1]` … as the items of a
 * list. What cannot be read stays as it is, for the schema to complain of.
 */
export function coerce(wanted: unknown, value: FormValue): unknown {
  const { nullable, type, item, fields, value: valueSchema, options } = shapeOf(wanted);
  if (value === '' && nullable) return null;
  if (options) return firstFitting(options, value);
  if (typeof value === 'string') return scalar(type, value);
  const items = item ? itemsOf(value) : undefined;
  if (items) return items.map((one) => coerce(item, one));
  if (Array.isArray(value)) return value.map((one) => coerce(undefined, one));
  return Object.fromEntries(
    [...value].map(([name, inner]) => [name, coerce(valueSchema ?? fields?.get(name), inner)]),
  );
}

/** The first kind that fits; where none does, the one whose fault lies farthest inside, as it was probably meant. */
function firstFitting(options: readonly unknown[], value: FormValue): unknown {
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

/** The items of a list, or of fields named by numbers in their order; undefined for other fields. */
function itemsOf(value: FormFields | FormValue[]): FormValue[] | undefined {
  if (Array.isArray(value)) return value;
  const numbered = [...value].map(([name, item]) => ({ place: Number(name), name, item }));
  if (!numbered.every(({ name }) => /^\d{1,4}$/.test(name))) return undefined;
  return numbered.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
