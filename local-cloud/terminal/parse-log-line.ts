import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';

const strippedText = v.pipe(v.string(), v.transform(stripVTControlCharacters));

const count = v.optional(v.number(), 0);

/** Fields of a log line that the terminal reads. The other fields are only for CloudWatch. */
const LogFields = v.object({
  operation: v.string(),
  level: v.optional(v.string()),
  request_id: v.optional(v.string()),
  cause: v.optional(strippedText),
  item: v.optional(strippedText),
  milliseconds: v.optional(v.number()),
  table_calls: count,
  read_units: count,
  write_units: count,
  fault: count,
  events: count,
  delivered: count,
  failed_attempts: count,
  purged: count,
  unfinished: count,
  failed: count,
});
export type LogFields = v.InferOutput<typeof LogFields>;

/** Console output of a function in Lambda's JSON log format. */
const ConsoleOutput = v.object({
  level: v.string(),
  message: v.union([strippedText, v.unknown()]),
});

/** An error that ended an invocation, or that a function passed to the console. */
const LoggedError = v.object({
  errorType: v.string(),
  errorMessage: v.string(),
  stackTrace: v.optional(v.array(v.string()), []),
});

/** A parsed log line of the local cloud, `[LogicalId] line`. */
export interface LogLine {
  functionId: string | undefined;
  text: string;
  /** Name, message and stack trace. */
  error?: string;
  fields?: LogFields;
  consoleOutput?: v.InferOutput<typeof ConsoleOutput>;
}

export function parseLogLine(line: string): LogLine {
  const [, functionId, text = line] = /^\[(\w+)\] (.*)$/s.exec(line) ?? [];
  const fields = v.safeParse(v.pipe(v.string(), v.parseJson(), LogFields), text);
  if (fields.success) return { functionId, text, fields: fields.output };
  const parsedOutput = v.safeParse(v.pipe(v.string(), v.parseJson(), ConsoleOutput), text);
  if (!parsedOutput.success) return { functionId, text: stripVTControlCharacters(text) };
  const consoleOutput = parsedOutput.output;
  const loggedError = v.safeParse(LoggedError, consoleOutput.message);
  if (!loggedError.success) return { functionId, text, consoleOutput };
  const { errorType, errorMessage, stackTrace } = loggedError.output;
  const error = [`${errorType}: ${errorMessage}`, ...stackTrace.slice(1)].join('\n');
  return { functionId, text, error: stripVTControlCharacters(error) };
}
