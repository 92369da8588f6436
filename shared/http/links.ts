import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Page } from '../contract/list.ts';

/**
 * The address of the request as the client sees it, stage included, without its query, and without the slash at its end
 * that the gateway does not mind.
 */
export const addressOf = ({ headers, requestContext }: APIGatewayProxyEvent): string => {
  const host = headers.host ?? requestContext.domainName;
  return `${headers['x-forwarded-proto'] ?? 'https'}://${host}${requestContext.path.replace(/\/+$/, '')}`;
};

/**
 * The address that the API's paths stand behind, without a slash at its end: with the stage where the gateway's own name is
 * asked, and with whatever a name of one's own has before the API.
 */
export const baseAddressOf = (event: APIGatewayProxyEvent): string => {
  const segments = event.requestContext.resourcePath.split('/').length - 1;
  return addressOf(event).split('/').slice(0, -segments).join('/');
};

/**
 * The `Link` header of a page (RFC 8288): `next` leads on in the order of the list and `prev` back, each present when there
 * is something in that direction as far as this page can tell; undefined when there is neither. They carry on the
 * parameters that the operation reads, each value once, and no others: a header must not grow with what is ignored.
 * `parameterOf` gives the parameter that a name of the query speaks of; undefined for one that is not read.
 */
export function links(
  event: APIGatewayProxyEvent,
  page: Page<unknown>,
  parameterOf: (name: string) => string | undefined,
): string | undefined {
  const query = new URLSearchParams();
  const carried = new Set<string>();
  for (const [name, values = []] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    const parameter = parameterOf(name);
    if (parameter === undefined) continue;
    for (const value of values) {
      const what = `${parameter}=${value}`;
      if (!carried.has(what)) query.append(name, value);
      carried.add(what);
    }
  }
  const backwards = query.has('ending_before');
  const cursorGiven = backwards || query.has('starting_after');
  query.delete('ending_before');
  query.delete('starting_after');

  const link = (rel: 'next' | 'prev', parameter: string, cursor: string) => {
    const target = new URLSearchParams(query);
    target.set(parameter, cursor);
    return `<${addressOf(event)}?${target}>; rel="${rel}"`;
  };
  const { first, last, has_more: hasMore } = page;
  const found = [
    last !== undefined && (backwards || hasMore) && link('next', 'starting_after', last),
    first !== undefined &&
      (backwards ? hasMore : cursorGiven) &&
      link('prev', 'ending_before', first),
  ].filter((one) => one !== false);
  return found.length > 0 ? found.join(', ') : undefined;
}
