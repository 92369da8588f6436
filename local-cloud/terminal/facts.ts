import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';

/** What a terminal would take for an order is left out. */
const harmless = v.pipe(v.string(), v.transform(stripVTControlCharacters));

const count = v.optional(v.number(), 0);

/** What the terminal reads of a function's log line; whatever else is in it is for CloudWatch. */
const Facts = v.object({
  operation: v.string(),
  level: v.optional(v.string()),
  request_id: v.optional(v.string()),
  cause: v.optional(harmless),
  item: v.optional(harmless),
  milliseconds: v.optional(v.number()),
  table_calls: count,
  read_units: count,
  write_units: count,
  fault: count,
  events: count,
  gone: count,
  unfinished: count,
  failed: count,
});
export type Facts = v.InferOutput<typeof Facts>;

/** What a function says by `console`, as Lambda writes it. */
const Said = v.object({
  level: v.string(),
  message: v.union([harmless, v.unknown()]),
});

/** A line as the local cloud's log has it, `[LogicalId] line`, taken apart. */
export interface LogLine {
  from: string | undefined;
  text: string;
  /** Where it is a line about a call. */
  facts?: Facts;
  /** Where it is of a function's console. */
  said?: v.InferOutput<typeof Said>;
}

export function readLine(line: string): LogLine {
  const [, from, text = line] = /^\[(\w+)\] (.*)$/s.exec(line) ?? [];
  const facts = v.safeParse(v.pipe(v.string(), v.parseJson(), Facts), text);
  if (facts.success) return { from, text, facts: facts.output };
  const said = v.safeParse(v.pipe(v.string(), v.parseJson(), Said), text);
  return said.success
    ? { from, text, said: said.output }
    : { from, text: stripVTControlCharacters(text) };
}
