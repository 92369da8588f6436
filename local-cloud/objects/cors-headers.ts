import type { IncomingHttpHeaders } from 'node:http';
import { toWildcardRegExp } from '../stack/wildcard.ts';
import type { CorsRule } from './buckets.ts';

/**
 * Returns the CORS headers of the first rule that allows the origin, the method and, in a
 * preflight, the headers. Returns `undefined` if no rule allows the request, or if the request has
 * no origin.
 */
export function getCorsHeaders(
  rules: readonly CorsRule[],
  method: string,
  headers: IncomingHttpHeaders,
): Record<string, string> | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const requested = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const allows = (patterns: readonly string[], value: string) =>
    patterns.some((pattern) => toWildcardRegExp(pattern, 'i').test(value));
  const rule = rules.find(
    ({ AllowedOrigins, AllowedMethods, AllowedHeaders }) =>
      allows(AllowedOrigins, origin) &&
      AllowedMethods.includes(method) &&
      requested.every((name) => allows(AllowedHeaders, name)),
  );
  if (!rule) return undefined;
  return {
    'access-control-allow-origin': rule.AllowedOrigins.includes('*') ? '*' : origin,
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
    ...(requested.length > 0 && { 'access-control-allow-headers': requested.join(', ') }),
    ...(rule.ExposedHeaders.length > 0 && {
      'access-control-expose-headers': rule.ExposedHeaders.join(', '),
    }),
    ...(rule.MaxAge !== undefined && { 'access-control-max-age': String(rule.MaxAge) }),
  };
}
