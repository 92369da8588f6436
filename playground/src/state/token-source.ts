import type { Fetch } from '../network/fetch-type.ts';
import type { Identity } from './identity.ts';

const renewalMarginMs = 5 * 60_000;
const validityMs = 60 * 60_000;

/** Returns a function that caches the local cloud's token until five minutes before it expires. */
export function createTokenSource(identity: Identity, fetch: Fetch) {
  let last: { token: Promise<string>; until: number } | undefined;
  return ({ fresh } = { fresh: false }): Promise<string> => {
    if (fresh || !last || Date.now() > last.until) {
      const token = fetchToken(identity, fetch);
      last = { token, until: Date.now() + validityMs - renewalMarginMs };
      token.catch(() => {
        last = undefined;
      });
    }
    return last.token;
  };
}

async function fetchToken(
  { id, username, groups, phoneNumber }: Identity,
  fetch: Fetch,
): Promise<string> {
  const response = await fetch('/playground/tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      contact_id: id,
      username,
      groups,
      ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
    }),
  });
  const reply: unknown = await response.json();
  if (typeof reply === 'object' && reply !== null) {
    if ('token' in reply && typeof reply.token === 'string') return reply.token;
    if ('message' in reply && typeof reply.message === 'string') throw new Error(reply.message);
  }
  throw new Error(`The local cloud issued no token: status ${response.status}.`);
}
