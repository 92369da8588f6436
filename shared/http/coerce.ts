import * as v from 'valibot';
import type { FormFields, FormValue } from './form.ts';

/**
 * Reads text as the type that the schema wants, so that a form or a query means what the same JSON would: digits where
 * a number is wanted, `true` and `false`, the empty text as null where null is accepted, `[0]`, `[1]` … as the items of a
 * list. What cannot be read stays as it is, for the schema to complain of.
 */
export function coerce(wanted: unknown, value: FormValue): unknown {
  const schema = lastOfPipe(wanted);
  if (!isSchema(schema)) return plain(value);
  if (value === '' && (schema.type === 'nullable' || schema.type === 'nullish')) return null;
  if ('wrapped' in schema) return coerce(schema.wrapped, value);
  if (schema.type === 'union' && 'options' in schema && Array.isArray(schema.options))
    return firstFitting(schema.options, value);
  if (typeof value === 'string') return scalar(schema.type, value);
  const items = 'item' in schema ? itemsOf(value) : undefined;
  if ('item' in schema && items) return items.map((item) => coerce(schema.item, item));
  if (value instanceof Map) {
    return toObject(value, (name, inner) => coerce(schemaOfField(schema, name), inner));
  }
  return plain(value);
}

/** Of schemas one after the other the last says what the value is to be. */
const lastOfPipe = (schema: unknown): unknown =>
  isSchema(schema) && 'pipe' in schema && Array.isArray(schema.pipe)
    ? schema.pipe.findLast(isSchema)
    : schema;

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

function schemaOfField(schema: v.GenericSchema, name: string): unknown {
  if ('value' in schema && isSchema(schema.value)) return schema.value;
  if (!('entries' in schema) || typeof schema.entries !== 'object' || !schema.entries)
    return undefined;
  return Object.entries(schema.entries).find(([entry]) => entry === name)?.[1];
}

/** The first kind that fits; where none does, the one whose fault lies farthest inside, as it was probably meant. */
function firstFitting(options: unknown[], value: FormValue): unknown {
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

const plain = (value: FormValue): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? toObject(value, (_, inner) => plain(inner)) : value;
};

const toObject = (fields: FormFields, read: (name: string, value: FormValue) => unknown) =>
  Object.fromEntries([...fields].map(([name, value]) => [name, read(name, value)]));
