import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Page } from '../../contract/schema/list-schema.ts';

/** A DNS name or IP address, with an optional port. */
const hostPattern = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Returns the request's URL without a query or trailing slash. Uses the API's domain name if the
 * Host header is malformed.
 */
export const getRequestUrl = ({ headers, requestContext }: APIGatewayProxyEvent): string => {
  const { host: requested = '' } = headers;
  const host = hostPattern.test(requested) ? requested : requestContext.domainName;
  return `${headers['x-forwarded-proto'] ?? 'https'}://${host}${requestContext.path.replace(/(?<!\/)\/+$/, '')}`;
};

/** Returns the API's base URL with its stage or custom base path, without a trailing slash. */
export const getBaseUrl = (event: APIGatewayProxyEvent): string => {
  const segments = event.requestContext.resourcePath.split('/').length - 1;
  return getRequestUrl(event).split('/').slice(0, -segments).join('/');
};

/**
 * Returns the `Link` header of a page (RFC 8288); `undefined` if the page has no links. The links
 * contain only parameters that the operation reads, each value once, to limit the header's length.
 */
export function createLinkHeader(
  event: APIGatewayProxyEvent,
  page: Page<unknown>,
  toParameter: (name: string) => string | undefined,
): string | undefined {
  const query = new URLSearchParams();
  const includedPairs = new Set<string>();
  for (const [name, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    const parameter = toParameter(name);
    if (parameter === undefined) continue;
    for (const value of values) {
      const pair = `${parameter}=${value}`;
      if (!includedPairs.has(pair)) query.append(name, value);
      includedPairs.add(pair);
    }
  }
  const backwards = query.has('ending_before');
  const hasCursor = backwards || query.has('starting_after');
  query.delete('ending_before');
  query.delete('starting_after');

  const link = (rel: 'next' | 'prev', parameter: string, cursor: string) => {
    const target = new URLSearchParams(query);
    target.set(parameter, cursor);
    return `<${getRequestUrl(event)}?${target}>; rel="${rel}"`;
  };
  const { first, last, has_more: hasMore } = page;
  const linkValues = [
    last !== undefined && (backwards || hasMore) && link('next', 'starting_after', last),
    first !== undefined &&
      (backwards ? hasMore : hasCursor) &&
      link('prev', 'ending_before', first),
  ].filter((one) => one !== false);
  return linkValues.length > 0 ? linkValues.join(', ') : undefined;
}
