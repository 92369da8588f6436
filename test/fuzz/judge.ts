import * as v from 'valibot';
import { type ErrorCode, ErrorReply, errorType, statusesOf } from '../../shared/contract/errors.ts';
import { fixedHeaders } from '../../shared/contract/headers.ts';
import { type Operation, sharedErrors } from '../../shared/contract/operation.ts';
import type { Sent } from './compile.ts';
import type { Reply } from './connection.ts';
import { isHttp } from './match.ts';
import type { World } from './world.ts';

export const headerOf = ({ headers }: Reply, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

/** What the gateway itself answers where the API has nothing. */
const elsewhere: ErrorCode[] = ['not_found', 'content_type_unsupported', 'request_invalid'];

/** Headers that replies may have; any other tells of something inside. */
const knownHeaders = new Set(
  [
    ...Object.keys(fixedHeaders),
    ...['Content-Type', 'Content-Length', 'Date', 'Connection', 'Keep-Alive', 'Request-Id'],
    ...['x-amzn-RequestId', 'Access-Control-Allow-Origin', 'ETag', 'Link', 'Location', 'Vary'],
    ...['Idempotent-Replayed', 'Retry-After', 'WWW-Authenticate'],
  ].map((name) => name.toLowerCase()),
);

/** What only somebody who looks inside would find. */
const internalWords =
  /dynamo|valibot|middy|aws-sdk|node_modules|\.[cm]?[jt]s\b|\n? {2,}at |\bundefined\b|\[object |Error:|Exception|gsi\d|\bpk\b|\bsk\b|[A-Z]+#[A-Za-z0-9]|ECONN|heap|stack/;

/** What is wrong with a reply, whatever the request was; undefined when nothing is. */
export function faultOf(sent: Sent, reply: Reply, { planted }: World): string | undefined {
  const { method, target, headers, row, caller } = sent;
  const { status, body } = reply;
  if (!isHttp(method, target, headers) && [400, 431].includes(status) && body === '') return;
  if (status >= 500) return 'It is a fault of the service.';
  const odd = reply.headers.filter(([name]) => !knownHeaders.has(name.toLowerCase()));
  if (method === 'OPTIONS' && status === 204) return;
  if (odd.length > 0) return `It has the header ${odd[0]}.`;
  const missing = [
    ...Object.entries(fixedHeaders),
    ['Access-Control-Allow-Origin', '*'],
    ...(status === 304 ? [] : [['Content-Type', 'application/json']]),
  ].find(([name = '', value]) => headerOf(reply, name) !== value);
  if (missing) return `It lacks the header ${missing.join(': ')}.`;
  const requestId = headerOf(reply, 'Request-Id');
  if (!requestId) return 'It has no Request-Id.';
  const told = reply.headers.flat().join('\n') + body;
  if (planted.secrets.some((secret) => told.includes(secret))) return 'It tells a secret.';
  if (method === 'HEAD') return body === '' ? undefined : 'HEAD has a body.';
  if (row && (status === row.status || status === 304)) {
    if (!caller) return 'Nobody may be let in with that.';
    return successFault(row, reply);
  }
  const error = v.safeParse(ErrorReply, parsed(body));
  if (!error.success) return `It is no ErrorReply: ${error.issues[0].message}`;
  const { code, type, request_id, param, message } = error.output;
  const allowed: readonly ErrorCode[] = row ? [...row.errors, ...sharedErrors] : elsewhere;
  const known = allowed.find((one) => one === code);
  if (!known) return `${row?.id ?? 'An unknown path'} must not answer ${code}.`;
  if (!statusesOf(known).includes(status)) return `${code} is not ${status}.`;
  if (type !== errorType(status) || request_id !== requestId) return 'It contradicts itself.';
  if ((status === 401) !== (headerOf(reply, 'WWW-Authenticate') === 'Bearer'))
    return 'Its WWW-Authenticate is wrong.';
  const word = internalWords.exec(message.replace(param ?? '', ''))?.[0];
  if (word && !saidBy(sent, word)) return `Its message says '${word}'.`;
  if (row && !caller && status !== 401 && status !== 431) return 'It must be a 401.';
  return row && paramFault(row, code, param);
}

const saidBy = ({ bytes }: Sent, word: string) => {
  const text = bytes.toString();
  return [text, text.replace(/\+/g, ' ')].some(
    (one) => one.includes(word) || one.includes(encodeURIComponent(word)),
  );
};

function successFault(row: Operation, reply: Reply): string | undefined {
  if (reply.status === 304) {
    return row.versioned && reply.body === '' ? undefined : 'That is no 304.';
  }
  const result = v.safeParse(row.reply, parsed(reply.body));
  if (!result.success) {
    const [{ message, path = [] }] = result.issues;
    return `It is not what the contract promises: ${path.map(({ key }) => key).join('.')} ${message}`;
  }
  if (row.versioned && !/^"[\w-]{22}"$/.test(headerOf(reply, 'ETag') ?? ''))
    return 'It has no ETag.';
  if (row.status === 201 && !headerOf(reply, 'Location')) return 'It has no Location.';
  return undefined;
}

/** An error that is about a parameter names one that the operation has. */
function paramFault(row: Operation, code: string, param: string | null): string | undefined {
  if (!['parameter_missing', 'parameter_invalid', 'not_found'].includes(code)) return undefined;
  const names = [row.pathParameters, row.query, row.body].flatMap(fieldNames);
  const root = /^[^.[]*/.exec(param ?? '')?.[0];
  if (row.repeatable && param === 'Idempotency-Key') return undefined;
  return root && names.includes(root) ? undefined : `${code} names the parameter ${param}.`;
}

const WithEntries = v.looseObject({ entries: v.looseObject({}) });
export const fieldNames = (schema: unknown): string[] =>
  v.is(WithEntries, schema) ? Object.keys(schema.entries) : [];

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
