import * as v from 'valibot';
import { type Example, examples } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

/** A call of the story that the contract's examples tell, with its operation's row. */
export interface ExampleCall {
  row: Operation;
  example: Example;
}

const rows: readonly Operation[] = operations;

/** The story from its beginning; there is a scene for every operation. */
export const exampleCalls: readonly ExampleCall[] = Object.entries<Example>(examples).map(
  ([id, example]) => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Error(`There is no operation '${id}'.`);
    return { row, example };
  },
);

/** What people and things of the story are called where it happens again: by their ids in the examples. */
export type Names = ReadonlyMap<string, string>;

/** Of names that begin alike the longer one counts: a message's id begins with its conversation's. */
export const replaceNames = (text: string, names: Names): string =>
  [...names]
    .sort(([a], [b]) => b.length - a.length)
    .reduce((told, [from, to]) => told.replaceAll(from, to), text);

const Text = v.pipe(v.unknown(), v.toString());
const Texts = v.optional(v.record(v.string(), Text), {});
/** As a query says it; a list is a parameter given several times. */
export const Query = v.optional(v.record(v.string(), v.union([v.array(v.string()), Text])), {});
const Parts = v.object({ path: Texts, query: Query, body: v.optional(v.unknown()) });

/** What a scene asks for, by those names. */
export function toRequest({ example }: ExampleCall, names: Names = new Map()) {
  const { path, query, body } = example;
  const told = JSON.parse(replaceNames(JSON.stringify({ path, query, body }), names));
  const parts = v.parse(Parts, told);
  return { path: parts.path, query: parts.query, ...(parts.body ? { body: parts.body } : {}) };
}
