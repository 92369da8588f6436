import { inspect } from 'node:util';
import * as v from 'valibot';
import type { Exchange } from '../gateway/request/exchange.ts';
import type { Paint, TextStyle } from './paint.ts';
import type { Facts } from './parse-log-line.ts';
import { toReadableError } from './source-locations.ts';

/**
 * Returns a line such as `POST /v1/messages  201  12 ms  3 calls, 6 written  ann`. For a fault,
 * appends lines with its cause and source.
 */
export function formatRequestLine(
  { request, reply, caller }: Exchange,
  facts: Facts | undefined,
  milliseconds: number,
  paint: Paint,
): string {
  const line = [
    `${paint('bold', request.method)} ${shorten(formatAddress(request))}`,
    paint(getStatusStyle(reply.status), String(reply.status)),
    `${milliseconds} ms`,
    ...(facts ? formatUsage(facts) : []),
    ...(reply.status >= 400 ? formatError(reply) : []),
    ...(caller === undefined ? [] : [paint('cyan', caller)]),
  ].join('  ');
  return [line, ...(facts?.cause ? formatCause(facts.cause, paint) : [])].join('\n');
}

/**
 * Returns a line such as `live: 3 events published  12 ms  4 calls, 2 written`. For a fault,
 * returns its cause and source instead. Returns `undefined` if the invocation had no effect.
 */
export function formatWorkerLine(facts: Facts, paint: Paint): string | undefined {
  const { operation, cause, item, milliseconds } = facts;
  if (cause !== undefined) {
    const what = item === undefined ? operation : `${operation}: ${item}`;
    return [paint('red', what), ...formatCause(cause, paint)].join('\n');
  }
  const outcome = outcomes.flatMap(([name, one, several]) =>
    facts[name] === 0 ? [] : [`${facts[name]} ${facts[name] === 1 ? one : several}`],
  );
  if (outcome.length === 0) return undefined;
  const line = [
    `${operation}: ${outcome.join(', ')}`,
    `${Math.round(milliseconds ?? 0)} ms`,
    ...formatUsage(facts),
  ].join('  ');
  return paint(facts.failed > 0 ? 'red' : 'dim', line);
}

/** Formats a logged error, or a line that is not in the functions' log format. */
export const formatErrorLines = (from: string | undefined, text: string, paint: Paint): string => {
  const [first = '', ...more] = toReadableError(text);
  return [
    paint('red', from === undefined ? first : `${from}: ${first}`),
    ...more.map((line) => paint('dim', `    ${line}`)),
  ].join('\n');
};

/** Formats console output that a developer added for debugging. */
export function formatConsoleOutput(
  from: string | undefined,
  { level, message }: { level: string; message: unknown },
  paint: Paint,
): string {
  const text = typeof message === 'string' ? message : inspect(message, { depth: 5 });
  const name = paint(level === 'ERROR' || level === 'FATAL' ? 'red' : 'cyan', `${from}:`);
  return `${name} ${text}`;
}

const outcomes = [
  ['events', 'event published', 'events published'],
  ['delivered', 'event delivered', 'events delivered'],
  ['failed_attempts', 'attempt failed', 'attempts failed'],
  ['purged', 'conversation purged', 'conversations purged'],
  ['unfinished', 'unfinished', 'unfinished'],
  ['failed', 'failed', 'failed'],
] as const;

const formatCause = (cause: string, paint: Paint) => {
  const [first = '', ...more] = toReadableError(cause);
  return [`    ${paint('red', first)}`, ...more.map((line) => paint('dim', `    ${line}`))];
};

function formatUsage({ table_calls, read_units, write_units }: Facts): string[] {
  if (table_calls === 0) return [];
  const units = [
    ...(read_units > 0 ? [`${read_units} read`] : []),
    ...(write_units > 0 ? [`${write_units} written`] : []),
  ];
  return [[`${table_calls} ${table_calls === 1 ? 'call' : 'calls'}`, ...units].join(', ')];
}

const getStatusStyle = (status: number): TextStyle =>
  status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';

/** Returns the path and query, with brackets and `~` decoded for readability. */
function formatAddress({ path, query }: Exchange['request']): string {
  if (query.length === 0) return path;
  const queryText = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return `${path}?${queryText.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%7E', '~')}`;
}

const maxCharacters = 100;

const shorten = (address: string) =>
  address.length > maxCharacters ? `${address.slice(0, maxCharacters - 1)}…` : address;

const ErrorBody = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ code: v.string(), request_id: v.string() }),
);

/** Returns the code and the request id of an error reply; empty if the body is not an error. */
function formatError({ body }: Exchange['reply']): string[] {
  const error = v.safeParse(ErrorBody, body);
  return error.success ? [error.output.code, error.output.request_id] : [];
}
