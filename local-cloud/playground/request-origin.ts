import { type GatewayRequest, getHeader } from '../gateway/request/gateway-request.ts';

/**
 * Reports whether the `Host` header names this machine. In a DNS rebinding attack, the header names
 * another host.
 */
export const isToThisMachine = (request: GatewayRequest): boolean =>
  /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(getHeader(request, 'host') ?? '');

/**
 * Reports whether a page of this server sent the request. Checks headers that pages cannot change.
 */
export function isFromOwnPage(request: GatewayRequest): boolean {
  const site = getHeader(request, 'sec-fetch-site') ?? 'same-origin';
  const isSameOrigin = getHeader(request, 'origin') === `http://${getHeader(request, 'host')}`;
  return isToThisMachine(request) && isSameOrigin && site === 'same-origin';
}
