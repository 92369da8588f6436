import type { Operation } from '../../../shared/contract/operation.ts';
import { type ObservedReply, toObservedReply } from '../../response-invariants/observed-reply.ts';
import type { Checker } from '../checker/checker.ts';
import type { Caller, Exchange, RequestParts } from '../exchange/exchange.ts';
import type { Statistics } from './statistics.ts';

/** Sends a request over HTTP, and passes the reply to the checker. */
export type SendRequest = (
  caller: Caller,
  row: Operation,
  sent?: RequestParts,
) => Promise<Exchange>;

/** Timeout of a request, longer than the gateway's timeout. */
const timeoutMilliseconds = 40_000;

export const createApiClient =
  (url: string, checker: Checker, statistics: Statistics): SendRequest =>
  async (caller, row, sent = {}) => {
    const end = checker.begin(caller, row, sent);
    const startedAt = performance.now();
    const reply = await fetchReply(url, caller, row, sent);
    statistics.count(row.id, reply.status, performance.now() - startedAt);
    return end(reply);
  };

async function fetchReply(
  url: string,
  caller: Caller,
  row: Operation,
  sent: RequestParts,
): Promise<ObservedReply> {
  const { path = {}, query = {}, body, headers } = sent;
  const address = Object.entries(path).reduce<string>(
    (template, [name, value]) => template.replace(`{${name}}`, encodeURIComponent(value)),
    row.path,
  );
  try {
    const response = await fetch(`${url}${address}?${new URLSearchParams(query)}`, {
      method: row.method,
      headers: {
        authorization: `Bearer ${caller.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return toObservedReply(response.status, response.headers, await response.text());
  } catch (error) {
    return { status: 0, headers: new Map(), body: String(error) };
  }
}
