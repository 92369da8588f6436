import { curlOf } from './curl.ts';
import type { Fetch } from './fetch.ts';
import { addRequest, type Side, settleRequest } from './traffic.ts';

export interface Recording {
  side: Side;
  variable: string;
  /** Hears every reply that is JSON. */
  onReply(path: string, reply: unknown): void;
}

/** A fetch whose requests are in the traffic, as curl: without the token. */
export const recorded =
  (fetch: Fetch, { side, variable, onReply }: Recording): Fetch =>
  async (url, init) => {
    const { pathname, search } = new URL(url, location.origin);
    const path = `${pathname}${search}`;
    const { method = 'GET', body } = init;
    const headers = Object.fromEntries(
      Object.entries(init.headers ?? {}).filter(([name]) => name !== 'Authorization'),
    );
    const shown = {
      method,
      path,
      variable,
      headers,
      body: typeof body === 'string' ? body : undefined,
    };
    const entry = addRequest({ side, method, path, curl: curlOf(shown), at: new Date() });
    const begun = performance.now();
    try {
      const response = await fetch(url, init);
      const milliseconds = Math.round(performance.now() - begun);
      const requestId = response.headers.get('Request-Id') ?? undefined;
      const reply = await response.clone().text();
      settleRequest(entry, { status: response.status, milliseconds, reply, requestId });
      tell(path, reply, onReply);
      return response;
    } catch (error) {
      const milliseconds = Math.round(performance.now() - begun);
      settleRequest(entry, {
        status: 'none',
        milliseconds,
        reply: undefined,
        requestId: undefined,
      });
      throw error;
    }
  };

function tell(path: string, reply: string, onReply: Recording['onReply']): void {
  let json: unknown;
  try {
    json = JSON.parse(reply);
  } catch {
    return;
  }
  onReply(path, json);
}
