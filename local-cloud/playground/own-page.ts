import { type GatewayRequest, header } from '../gateway/gateway-request.ts';

/**
 * Whether the request was sent to this machine by its own name. A page whose name was made to lead here (DNS rebinding)
 * sends that name.
 */
export const isToThisMachine = (request: GatewayRequest): boolean =>
  /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(header(request, 'host') ?? '');

/** Whether it comes from a page of this very server: browsers say so, and no page can say otherwise. */
export function isFromOwnPage(request: GatewayRequest): boolean {
  const site = header(request, 'sec-fetch-site') ?? 'same-origin';
  const isSameOrigin = header(request, 'origin') === `http://${header(request, 'host')}`;
  return isToThisMachine(request) && isSameOrigin && site === 'same-origin';
}
