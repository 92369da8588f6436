import * as v from 'valibot';
import { type Example, examples } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

export interface ExampleCall {
  row: Operation;
  example: Example;
}

const rows: readonly Operation[] = operations;

/** The example call of each operation, in the order in which the calls run. */
export const exampleCalls: readonly ExampleCall[] = Object.entries<Example>(examples).map(
  ([id, example]) => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Error(`There is no operation '${id}'.`);
    return { row, example };
  },
);

/** Maps the ids in the examples to the ids in a replay. */
export type Names = ReadonlyMap<string, string>;

/** Replaces ids in a text, longer ids first: a message id starts with its conversation's id. */
export const replaceNames = (text: string, names: Names): string =>
  [...names]
    .sort(([a], [b]) => b.length - a.length)
    .reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text);

const Text = v.pipe(v.unknown(), v.toString());
const Texts = v.optional(v.record(v.string(), Text), {});
/** Schema of a query. A list becomes a repeated parameter. */
export const Query = v.optional(v.record(v.string(), v.union([v.array(v.string()), Text])), {});
const Parts = v.object({ path: Texts, query: Query, body: v.optional(v.unknown()) });

export function toRequest({ example }: ExampleCall, names: Names = new Map()) {
  const { path, query, body } = example;
  const renamed = JSON.parse(replaceNames(JSON.stringify({ path, query, body }), names));
  const parts = v.parse(Parts, renamed);
  return { path: parts.path, query: parts.query, ...(parts.body ? { body: parts.body } : {}) };
}
