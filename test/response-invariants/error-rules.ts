import * as v from 'valibot';
import {
  type ErrorCode,
  ErrorReply,
  errorCatalog,
  getErrorType,
  getStatuses,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';
import { type Operation, sharedErrors } from '../../shared/contract/operation.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import type { Rule } from './rule.ts';
import { getFieldNames } from './schema-fields.ts';
import { formatIssues } from './schema-issues.ts';

/** Errors that the gateway may return for an unknown path. */
const gatewayErrors: readonly ErrorCode[] = [
  'not_found',
  'content_type_unsupported',
  'request_invalid',
];

export function errorRules(
  { row, isGatewayReplyAllowed = false }: RequestContext,
  reply: ObservedReply,
): Rule[] {
  const { headers, status, body } = reply;
  const parsed = v.safeParse(ErrorReply, body);
  if (!parsed.success) {
    const expected = `${row?.status ?? 'an error'}, or an error that matches the contract`;
    return [[`${expected}: ${status}, ${formatIssues(parsed)}`, false]];
  }
  const { code, request_id, type, param, documentation_url } = parsed.output;
  const documented = row ? [...row.errors, ...sharedErrors] : gatewayErrors;
  const known = documented.find((one) => one === code);
  if (!known) return [[`a code of the operation, not ${code}: ${documented.join(', ')}`, false]];
  const statuses = isGatewayReplyAllowed ? getStatuses(known) : [errorCatalog[known].status];
  return [
    [`${statuses.join(' or ')} with ${code}`, statuses.includes(status)],
    [`type ${getErrorType(status)}`, type === getErrorType(status)],
    ['request_id as in Request-Id', request_id === headers.get('request-id')],
    [`documentation_url of ${code}`, isDocumentationUrl(known, documentation_url)],
    [
      'Retry-After as in the error catalog',
      headers.get('retry-after') === retryAfterSeconds[known]?.toString(),
    ],
    [
      'no headers of successful replies: ETag, Location, Link, Idempotent-Replayed',
      !['etag', 'location', 'link', 'idempotent-replayed'].some((name) => headers.has(name)),
    ],
    [
      `${code} with a parameter of the operation, not ${param}`,
      !row || namesParameter(row, known, param),
    ],
  ];
}

/** Checks that the URL ends with the error's anchor. The rest of the URL depends on the stage. */
function isDocumentationUrl(code: ErrorCode, address: string): boolean {
  const { protocol = '', hash = '' } = URL.parse(address) ?? {};
  return /^https?:$/.test(protocol) && hash === `#${code}`;
}

const parameterErrors: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_invalid',
  'not_found',
];

function namesParameter(row: Operation, code: ErrorCode, param: string | null): boolean {
  if (!parameterErrors.includes(code)) return true;
  if (row.repeatable && param === 'Idempotency-Key') return true;
  const [root] = /^[^.[]*/.exec(param ?? '') ?? [];
  return [row.pathParameters, row.query, row.body].flatMap(getFieldNames).includes(root ?? '');
}
