import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError, invalidParameter } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import type { Input, Operation } from '../../contract/operation.ts';
import { quoteText } from '../../contract/schema/characters.ts';
import { type IdempotencyKey, parseIdempotencyKey } from '../../idempotency-key.ts';
import { isStrict } from '../../strict-mode.ts';
import { toCaller } from '../auth/caller-context.ts';
import { readBody } from './body.ts';
import { coerce } from './coerce.ts';
import { parseQuery } from './query.ts';
import { rejectUnknownParameters } from './unknown-parameters.ts';

export type OperationRequest<Row extends Operation> = Input<Row> & {
  caller: Caller;
  ifMatch: string | undefined;
  /** Set if the operation accepts an Idempotency-Key and the request has one. */
  idempotencyKey: IdempotencyKey | undefined;
};

/**
 * Returns the validated request of an operation. Throws the first error, which names the parameter
 * at fault, if any.
 */
export function readRequest<Row extends Operation>(
  row: Row,
  event: APIGatewayProxyEvent,
): OperationRequest<Row>;
export function readRequest(
  row: Operation,
  event: APIGatewayProxyEvent,
): OperationRequest<Operation> {
  const caller = toCaller(event.requestContext.authorizer);
  const path = row.pathParameters
    ? validate(row.pathParameters, decodePathParameters(event.pathParameters))
    : {};
  if (isStrict()) rejectUnknownParameters(row, event);
  const query = row.query ? readQuery(row.query, event) : {};
  const body = row.body ? validate(row.body, coerceBody(row.body, event)) : {};
  const { 'if-match': ifMatch, 'idempotency-key': key } = event.headers;
  const idempotencyKey = row.repeatable && parseIdempotencyKey(key, row.id, body);
  return { caller, ifMatch, idempotencyKey, path, query, body };
}

/**
 * Decodes path parameters. Parameters that the gateway has already decoded stay unchanged, because
 * ids contain no `%`.
 */
function decodePathParameters(parameters: APIGatewayProxyEvent['pathParameters']) {
  return Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value = '']) => [name, decodeUriText(value)]),
  );
}

function decodeUriText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Validates the query. Reports a fault in a list item as a fault of the list's parameter. */
function readQuery(schema: v.GenericSchema, event: APIGatewayProxyEvent): unknown {
  return validate(schema, coerce(schema, parseQuery(schema, event)), 1);
}

function coerceBody(schema: v.GenericSchema, event: APIGatewayProxyEvent): unknown {
  const body = readBody(event);
  return body instanceof Map ? coerce(schema, body) : body;
}

/**
 * Returns the validated value, or throws the first error. `depth` is the maximum number of path
 * elements in the error's `param`.
 */
function validate(schema: v.GenericSchema, value: unknown, depth?: number): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw toParameterError(result.issues[0], depth);
}

function toParameterError(issue: v.BaseIssue<unknown>, depth?: number): ApiError {
  const { kind, path, message } = findDeepestIssue(issue);
  const last = path?.at(-1);
  if (!path || !last)
    return new ApiError('body_malformed', { message: 'The body must be an object.' });
  const param = path
    .slice(0, depth)
    .map(({ key }) => key)
    .reduce<string>(appendToParameterPath, '');
  // If a check of several fields reports a null field, that field counts as missing.
  const isWhole = kind === 'validation' && last.value === null;
  if (last.value !== undefined && !isWhole) return invalidParameter(param, message);
  const rule = kind === 'validation' ? message : 'is required';
  return new ApiError('parameter_missing', { message: `'${param}' ${rule}.`, param });
}

/**
 * Returns the deepest issue, which in a union belongs to the alternative that the client probably
 * intended.
 */
function findDeepestIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  const inner = (issue.issues ?? []).toSorted((a, b) => getIssueDepth(b) - getIssueDepth(a))[0];
  const [outer, ...rest] = issue.path ?? [];
  if (!inner?.path || !outer) return issue;
  return findDeepestIssue({ ...inner, path: [outer, ...rest, ...inner.path] });
}

const getIssueDepth = ({ path }: v.BaseIssue<unknown>): number => path?.length ?? 0;

/** Maximum number of characters of a client's field name that an error shows. */
const maxShown = 64;

/** Appends a key in the syntax of property access: `attachments[0].url` or `reactions["👍"]`. */
function appendToParameterPath(outer: string, key: unknown): string {
  if (typeof key === 'number') return `${outer}[${key}]`;
  const name = String(key);
  if (outer === '') return name;
  if (/^[A-Za-z_][\w-]{0,63}$/.test(name)) return `${outer}.${name}`;
  const characters = Array.from(name.slice(0, 2 * maxShown + 2));
  const isLong = characters.length > maxShown;
  return `${outer}[${quoteText(isLong ? `${characters.slice(0, maxShown).join('')}…` : name)}]`;
}
