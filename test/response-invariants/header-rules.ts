import { authenticationChallenge, fixedHeaders } from '../../shared/contract/headers.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import type { Rule } from './rule.ts';

const isPresent = (value: string | undefined): boolean => value !== undefined && value !== '';

export function headerRules(
  { allowsOrigin = isPresent }: RequestContext,
  reply: ObservedReply,
): Rule[] {
  const { headers, status } = reply;
  const type = headers.get('content-type');
  return [
    ...Object.entries(fixedHeaders)
      .filter(([name]) => name !== 'Service-Version')
      .map(
        ([name, value]): Rule => [`${name}: ${value}`, headers.get(name.toLowerCase()) === value],
      ),
    // A deployed stage may run another version of the service.
    ['Service-Version', /^\d+\.\d+\.\d+/.test(headers.get('service-version') ?? '')],
    ['Content-Type: application/json', status === 304 || type === 'application/json'],
    ['Request-Id', isPresent(headers.get('request-id'))],
    ['Access-Control-Allow-Origin', allowsOrigin(headers.get('access-control-allow-origin'))],
    [
      `WWW-Authenticate: ${authenticationChallenge} if and only if the status is 401`,
      headers.get('www-authenticate') === (status === 401 ? authenticationChallenge : undefined),
    ],
  ];
}

/** Headers that the local cloud may return. Any other header could reveal internals. */
const known = new Set(
  [
    ...Object.keys(fixedHeaders),
    ...['Content-Type', 'Content-Length', 'Content-Encoding', 'Date', 'Connection', 'Keep-Alive'],
    ...[
      'Request-Id',
      'x-amzn-RequestId',
      'Access-Control-Allow-Origin',
      'ETag',
      'Link',
      'Location',
      'Vary',
    ],
    ...['Idempotent-Replayed', 'Retry-After', 'WWW-Authenticate'],
  ].map((name) => name.toLowerCase()),
);

/**
 * Returns a violation for each unknown header. Does not apply to replies from deployed stages,
 * where the gateway adds headers.
 */
export const findUnknownHeaders = ({ headers }: ObservedReply): string[] =>
  [...headers].flatMap(([name, value]) => (known.has(name) ? [] : [`no header ${name}: ${value}`]));
