import type { Operation } from '../../shared/contract/operation.ts';
import { type Observed, observed } from '../oracle/observed.ts';
import type { Checker } from './checker.ts';
import type { Exchange, Sent, Who } from './exchange.ts';
import type { Statistics } from './statistics.ts';

/** Asks the API, over HTTP; every reply has been judged when it is given. */
export type Ask = (who: Who, row: Operation, sent?: Sent) => Promise<Exchange>;

/** Longer than the gateway takes for any reply. */
const patienceMilliseconds = 40_000;

export const client =
  (url: string, checker: Checker, statistics: Statistics): Ask =>
  async (who, row, sent = {}) => {
    const end = checker.begin(who, row, sent);
    const begunAt = performance.now();
    const reply = await fetchReply(url, who, row, sent);
    statistics.count(row.id, reply.status, performance.now() - begunAt);
    return end(reply);
  };

async function fetchReply(url: string, who: Who, row: Operation, sent: Sent): Promise<Observed> {
  const { path = {}, query = {}, body, headers } = sent;
  const address = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    row.path,
  );
  try {
    const response = await fetch(`${url}${address}?${new URLSearchParams(query)}`, {
      method: row.method,
      headers: {
        authorization: `Bearer ${who.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    return observed(response.status, response.headers, await response.text());
  } catch (error) {
    return { status: 0, headers: new Map(), body: String(error) };
  }
}
