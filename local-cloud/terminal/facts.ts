import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';

/** Removes control sequences. */
const harmless = v.pipe(v.string(), v.transform(stripVTControlCharacters));

const count = v.optional(v.number(), 0);

/** Facts that the terminal reads from a function's log line; the others are for CloudWatch. */
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

/** Console output of a function, as Lambda writes it. */
const Said = v.object({
  level: v.string(),
  message: v.union([harmless, v.unknown()]),
});

/** A log line of the local cloud, `[LogicalId] line`, parsed. */
export interface LogLine {
  from: string | undefined;
  text: string;
  /** Set for a line about a call. */
  facts?: Facts;
  /** Set for console output of a function. */
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
