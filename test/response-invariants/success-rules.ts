import * as v from 'valibot';
import { hasLocation, type Operation } from '../../shared/contract/operation.ts';
import type { ObservedReply } from './observed-reply.ts';
import { pageRules } from './page-rules.ts';
import type { RequestContext } from './request-context.ts';
import type { Rule } from './rule.ts';
import { formatIssues } from './schema-issues.ts';

const isTag = (etag: string | undefined) => etag !== undefined && /^"[\w-]{22}"$/.test(etag);

export function successRules(
  row: Operation,
  context: RequestContext,
  reply: ObservedReply,
): Rule[] {
  const { headers, body } = reply;
  const parsed = v.safeParse(row.reply, body);
  const etag = headers.get('etag');
  return [
    [`a body that matches the contract: ${formatIssues(parsed)}`, parsed.success],
    ['ETag if and only if the operation has one', row.versioned ? isTag(etag) : etag === undefined],
    [
      'Location if and only if the reply is a redirect or the operation creates a resource',
      isLocated(row, reply),
    ],
    ['no Retry-After', !headers.has('retry-after')],
    [
      'Idempotent-Replayed only for operations with an Idempotency-Key',
      !headers.has('idempotent-replayed') ||
        (row.repeatable === true && headers.get('idempotent-replayed') === 'true'),
    ],
    ...pageRules(row, context, reply),
  ];
}

/** Checks the Location. For a created resource, checks only the path, because the host varies. */
function isLocated(row: Operation, { status, headers, body }: ObservedReply): boolean {
  const location = headers.get('location');
  if (status === 302) return location !== undefined && location === Object(body).url;
  if (!hasLocation(row)) return location === undefined;
  const created = v.safeParse(v.object({ id: v.string() }), body);
  const id = created.success ? created.output.id : '';
  return new RegExp(`^https?://[^/]+(/[\\w-]+)?${row.path}/${id}$`).test(location ?? '');
}

export const unchangedRules = (row: Operation, { headers, body }: ObservedReply): Rule[] => [
  ['304 only for a resource with an ETag', row.versioned === true && row.method === 'GET'],
  ['ETag', isTag(headers.get('etag'))],
  ['no body', body === ''],
];
