import { type GatewayRequest, getHeader } from '../gateway/request/gateway-request.ts';

/**
 * Reports whether the `Host` header names this machine. In a DNS rebinding attack, the header names
 * another host.
 */
export const isToThisMachine = (request: GatewayRequest): boolean =>
  /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(getHeader(request, 'host') ?? '');

/**
 * Reports whether the request comes from a page of this server. Pages cannot change the headers
 * that this check reads.
 */
export function isFromOwnPage(request: GatewayRequest): boolean {
  const site = getHeader(request, 'sec-fetch-site') ?? 'same-origin';
  const isSameOrigin = getHeader(request, 'origin') === `http://${getHeader(request, 'host')}`;
  return isToThisMachine(request) && isSameOrigin && site === 'same-origin';
}
