import * as v from 'valibot';
import {
  type ErrorCode,
  ErrorReply,
  errorCatalog,
  retryAfterSeconds,
} from '../../../shared/contract/errors.ts';
import { fixedHeaders } from '../../../shared/contract/headers.ts';
import { sharedErrors } from '../../../shared/contract/operation.ts';
import type { Exchange } from '../exchange.ts';
import { isLinkedAsPromised } from './links.ts';

/** What of a reply is not as the contract's row and catalog say; without anything, it is as promised. */
export function breachesOf(exchange: Exchange): string[] {
  const { reply, row } = exchange;
  if (reply.status === 0) return ['a reply'];
  const rules = reply.status === row.status ? successRules(exchange) : errorRules(exchange);
  const all: [string, boolean][] = [...headerRules(exchange), ...rules];
  return all.flatMap(([expected, holds]) => (holds ? [] : [expected]));
}

function headerRules({ reply: { headers } }: Exchange): [string, boolean][] {
  return [
    ...Object.entries(fixedHeaders).map(([name, value]): [string, boolean] => [
      `${name}: ${value}`,
      headers.get(name.toLowerCase()) === value,
    ]),
    ['Content-Type: application/json', headers.get('content-type') === 'application/json'],
    ['Request-Id', Boolean(headers.get('request-id'))],
    ['Access-Control-Allow-Origin', headers.has('access-control-allow-origin')],
  ];
}

function successRules(exchange: Exchange): [string, boolean][] {
  const { reply, row } = exchange;
  const { headers, body } = reply;
  const parsed = v.safeParse(row.reply, body);
  const created = v.safeParse(v.object({ id: v.string() }), body);
  const location = new RegExp(
    `^https?://[^/]+${row.path}/${created.success ? created.output.id : ''}$`,
  );
  const etag = headers.get('etag') ?? '';
  return [
    [`a body as the contract says: ${issuesOf(parsed)}`, parsed.success],
    ['ETag just where the row has it', row.versioned ? /^"[^"]+"$/.test(etag) : etag === ''],
    [
      'Location just for what was created',
      row.status === 201 ? location.test(headers.get('location') ?? '') : !headers.has('location'),
    ],
    ['Link as the page says', isLinkedAsPromised(exchange)],
  ];
}

function errorRules({ reply, row }: Exchange): [string, boolean][] {
  const { headers, status, body } = reply;
  const parsed = v.safeParse(ErrorReply, body);
  if (!parsed.success) return [[`an error as the contract says: ${issuesOf(parsed)}`, false]];
  const { code, request_id, type } = parsed.output;
  const mayAnswer: readonly ErrorCode[] = [...row.errors, ...sharedErrors];
  const known = mayAnswer.find((one) => one === code);
  const retryAfter = known && retryAfterSeconds[known];
  return [
    [`a code that the row has: ${mayAnswer.join(', ')}`, known !== undefined],
    ['the status of the code', !known || errorCatalog[known].status === status],
    ['its type', type === (status >= 500 ? 'api_error' : 'invalid_request')],
    ['request_id as in Request-Id', request_id === headers.get('request-id')],
    [
      'Retry-After where waiting helps',
      (headers.get('retry-after') ?? undefined) === retryAfter?.toString(),
    ],
  ];
}

const issuesOf = ({ issues = [] }: { issues?: readonly v.BaseIssue<unknown>[] | undefined }) =>
  issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`).join('; ');
