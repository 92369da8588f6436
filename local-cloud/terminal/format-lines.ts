import { inspect } from 'node:util';
import * as v from 'valibot';
import type { Exchange } from '../gateway/request/exchange.ts';
import type { Paint, TextStyle } from './paint.ts';
import type { LogFields } from './parse-log-line.ts';
import { toReadableError } from './source-locations.ts';

/**
 * Returns a line such as `POST /v1/messages  201  12 ms  3 calls, 6 written  ann`. For a fault,
 * appends lines with its cause and source.
 */
export function formatRequestLine(
  { request, reply, caller }: Exchange,
  fields: LogFields | undefined,
  milliseconds: number,
  paint: Paint,
): string {
  const line = [
    `${paint('bold', request.method)} ${shorten(formatAddress(request))}`,
    paint(getStatusStyle(reply.status), String(reply.status)),
    `${milliseconds} ms`,
    ...(fields ? formatUsage(fields) : []),
    ...(reply.status >= 400 ? formatError(reply) : []),
    ...(caller === undefined ? [] : [paint('cyan', caller)]),
  ].join('  ');
  return [line, ...(fields?.cause ? formatCause(fields.cause, paint) : [])].join('\n');
}

/**
 * Returns a line such as `live: 3 events published  12 ms  4 calls, 2 written`. For a fault,
 * returns its cause and source instead. Returns `undefined` if the invocation had no effect.
 */
export function formatWorkerLine(fields: LogFields, paint: Paint): string | undefined {
  const { operation, cause, item, milliseconds } = fields;
  if (cause !== undefined) {
    const label = item === undefined ? operation : `${operation}: ${item}`;
    return [paint('red', label), ...formatCause(cause, paint)].join('\n');
  }
  const outcome = outcomes.flatMap(([name, one, several]) =>
    fields[name] === 0 ? [] : [`${fields[name]} ${fields[name] === 1 ? one : several}`],
  );
  if (outcome.length === 0) return undefined;
  const line = [
    `${operation}: ${outcome.join(', ')}`,
    `${Math.round(milliseconds ?? 0)} ms`,
    ...formatUsage(fields),
  ].join('  ');
  return paint(fields.failed > 0 ? 'red' : 'dim', line);
}

/** Formats a logged error, or a line that is not in the functions' log format. */
export const formatErrorLines = (
  functionId: string | undefined,
  text: string,
  paint: Paint,
): string => {
  const [first = '', ...more] = toReadableError(text);
  return [
    paint('red', functionId === undefined ? first : `${functionId}: ${first}`),
    ...more.map((line) => paint('dim', `    ${line}`)),
  ].join('\n');
};

export function formatConsoleOutput(
  functionId: string | undefined,
  { level, message }: { level: string; message: unknown },
  paint: Paint,
): string {
  const text = typeof message === 'string' ? message : inspect(message, { depth: 5 });
  const name = paint(level === 'ERROR' || level === 'FATAL' ? 'red' : 'cyan', `${functionId}:`);
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

function formatUsage({ table_calls, read_units, write_units }: LogFields): string[] {
  if (table_calls === 0) return [];
  const units = [
    ...(read_units > 0 ? [`${read_units} read`] : []),
    ...(write_units > 0 ? [`${write_units} written`] : []),
  ];
  return [[`${table_calls} ${table_calls === 1 ? 'call' : 'calls'}`, ...units].join(', ')];
}

const getStatusStyle = (status: number): TextStyle =>
  status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';

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

function formatError({ body }: Exchange['reply']): string[] {
  const error = v.safeParse(ErrorBody, body);
  return error.success ? [error.output.code, error.output.request_id] : [];
}
