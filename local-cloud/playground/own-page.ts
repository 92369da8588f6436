import { type GatewayRequest, header } from '../gateway/gateway-request.ts';

/** Reports whether the request names this machine. DNS rebinding sends another host name. */
export const isToThisMachine = (request: GatewayRequest): boolean =>
  /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(header(request, 'host') ?? '');

/** Reports whether the request comes from a page of this server, which browsers state reliably. */
export function isFromOwnPage(request: GatewayRequest): boolean {
  const site = header(request, 'sec-fetch-site') ?? 'same-origin';
  const isSameOrigin = header(request, 'origin') === `http://${header(request, 'host')}`;
  return isToThisMachine(request) && isSameOrigin && site === 'same-origin';
}
