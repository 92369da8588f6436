import { accountId } from '../../account.ts';
import { type GatewayRequest, getHeader } from './gateway-request.ts';

/** Value of `$context` in mapping templates. */
export interface GatewayContext {
  [name: string]: string | GatewayContext;
}

/** Returns the `$context` values that are known before the request is matched to a method. */
export const createContext = (request: GatewayRequest, api: ApiStage): GatewayContext => ({
  accountId,
  apiId: api.id,
  domainName: getHostName(request),
  httpMethod: request.method,
  identity: { sourceIp: request.sourceIp, userAgent: getHeader(request, 'user-agent') ?? '' },
  path: request.path,
  protocol: 'HTTP/1.1',
  requestId: request.id,
  extendedRequestId: request.id,
  requestTime: formatRequestTime(request.receivedAt),
  requestTimeEpoch: String(request.receivedAt.getTime()),
  stage: api.stage,
});

export interface ApiStage {
  id: string;
  stage: string;
}

/** Returns the text at a dotted path such as `authorizer.code`, or `undefined` if there is none. */
export function getContextValue(context: GatewayContext, path: string): string | undefined {
  let value: string | GatewayContext | undefined = context;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return typeof value === 'string' ? value : undefined;
}

/**
 * Replaces `$context` variables with their values, without quoting. Replaces unknown variables with
 * the empty string.
 */
export const insertContext = (template: string, context: GatewayContext): string =>
  template.replace(
    /\$context\.(\w+(?:\.\w+)*)|\$\{context\.(\w+(?:\.\w+)*)\}/g,
    (_, bare: string | undefined, braced: string | undefined) =>
      getContextValue(context, bare ?? braced ?? '') ?? '',
  );

export const getHostName = (request: GatewayRequest) => {
  const name = (getHeader(request, 'host') ?? '').replace(/:\d+$/, '');
  return /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) ? name : '127.0.0.1';
};

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats a timestamp in the Common Log Format, such as 09/Apr/2015:12:34:56 +0000. */
export function formatRequestTime(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}
