import type { JSONPath } from 'jsonc-parser';
import { shapeOf } from '../../shared/contract/complete.ts';

/** The places of a value's fields that the schema's objects do not have. */
export function unknownFields(schema: unknown, value: unknown, path: JSONPath = []): JSONPath[] {
  const { item, entries } = shapeOf(schema);
  if (Array.isArray(value)) {
    return item ? value.flatMap((one, n) => unknownFields(item, one, [...path, n])) : [];
  }
  if (typeof value !== 'object' || value === null || !entries || isFreeForm(entries)) return [];
  const known = new Map(Object.entries(entries));
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, name];
    return known.has(name) ? unknownFields(known.get(name), inner, place) : [place];
  });
}

const isFreeForm = (entries: object) => Object.keys(entries).length === 0;
