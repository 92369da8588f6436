import type { JSONPath } from 'jsonc-parser';
import { describeSchema } from '../../shared/contract/schema/describe-schema.ts';

/** The places of a value's fields that the schema's objects do not have; an object without any may have what it likes. */
export function unknownFields(schema: unknown, value: unknown, path: JSONPath = []): JSONPath[] {
  const { item, fields } = describeSchema(schema);
  if (Array.isArray(value)) {
    return item ? value.flatMap((one, n) => unknownFields(item, one, [...path, n])) : [];
  }
  if (typeof value !== 'object' || value === null || !fields?.size) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, name];
    return fields.has(name) ? unknownFields(fields.get(name), inner, place) : [place];
  });
}
