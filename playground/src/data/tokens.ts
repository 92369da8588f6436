import type { Fetch } from './fetch.ts';
import type { Who } from './who.ts';

const renewedBefore = 5 * 60_000;
const validMilliseconds = 60 * 60_000;

/** Tokens of that person, by the local cloud's own identity provider: kept while they are good, and asked for anew when they are not. */
export function tokensOf(who: Who, fetch: Fetch) {
  let last: { token: Promise<string>; until: number } | undefined;
  return ({ fresh } = { fresh: false }): Promise<string> => {
    if (fresh || !last || Date.now() > last.until) {
      const token = ask(who, fetch);
      last = { token, until: Date.now() + validMilliseconds - renewedBefore };
      token.catch(() => {
        last = undefined;
      });
    }
    return last.token;
  };
}

async function ask({ id, username, groups, phoneNumber }: Who, fetch: Fetch): Promise<string> {
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
  throw new Error(`There was no token: ${response.status}`);
}
