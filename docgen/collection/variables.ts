import * as v from 'valibot';
import { type Example, examples } from '../../shared/contract/examples.ts';
import { hasLocation, type Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { isObject } from '../../shared/contract/schema/objects.ts';
import { getResource } from '../openapi/documented-operation.ts';

const CreatedObject = v.object({ id: v.string() });
const examplesById: Record<string, Example> = examples;
const rows: readonly Operation[] = operations;

/** Returns the variable for the id of the created object, such as `message_id`. */
export const getIdVariable = (row: Operation): string => `${getResource(row).replace(/s$/, '')}_id`;

/** Maps the examples' values that differ between runs to variable names. */
const variables = new Map<unknown, string>([
  ['ann', 'ann_id'],
  ['bob', 'bob_id'],
  ...rows
    .filter(hasLocation)
    .map(
      (row) =>
        [v.parse(CreatedObject, examplesById[row.id]?.reply).id, getIdVariable(row)] as const,
    ),
]);

/** Substitutes variables for values that differ between runs. */
export function replaceWithVariables(value: unknown): unknown {
  const name = variables.get(value);
  if (name !== undefined) return `{{${name}}}`;
  if (Array.isArray(value)) return value.map(replaceWithVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, replaceWithVariables(part)]),
  );
}
