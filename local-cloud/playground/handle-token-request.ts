import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { GatewayReply, GatewayRequest } from '../gateway/request/gateway-request.ts';
import type { Issuer } from '../issuer.ts';
import { isFromOwnPage } from './request-origin.ts';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

const TokenRequest = v.strictObject({
  contact_id: text,
  username: v.optional(text),
  phone_number: v.optional(text),
  groups: v.optional(v.pipe(v.array(text), v.maxLength(100))),
});

const validSeconds = 60 * 60;

/**
 * Replies with a user's token, which is valid for one hour. A token grants full access as that
 * user, so requests that do not come from the playground's page get status 403. Requests for a
 * suspended user get 403, too.
 */
export async function handleTokenRequest(
  request: GatewayRequest,
  token: Issuer['token'],
): Promise<GatewayReply> {
  if (!isFromOwnPage(request)) {
    return toJsonReply(403, { message: 'Only the playground’s own page can get tokens here.' });
  }
  const parsed = v.safeParse(TokenRequest, parseBody(request));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    return toJsonReply(400, {
      message: `${path?.map(({ key }) => key).join('.') ?? 'body'}: ${message}`,
    });
  }
  const { contact_id, username, phone_number, groups } = parsed.output;
  try {
    const created = await token(contact_id, {
      expires_in: validSeconds,
      ...(username !== undefined && { username }),
      ...(phone_number !== undefined && { phone_number }),
      ...(groups && { groups }),
    });
    return toJsonReply(200, { token: created });
  } catch (error) {
    // `token` throws a Problem if the user is suspended.
    if (error instanceof Problem) return toJsonReply(403, { message: error.message });
    throw error;
  }
}

function parseBody({ body }: GatewayRequest): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const toJsonReply = (status: number, body: object): GatewayReply => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ],
  body: JSON.stringify(body),
});
