import { toCurlCommand } from './curl-command.ts';
import type { Fetch } from './fetch-type.ts';
import { addRequest, type Side, setRequestOutcome } from './traffic.ts';

export interface TrafficLogOptions {
  side: Side;
  variable: string;
  onReply(path: string, reply: unknown): void;
}

/** Wraps `fetch` to record its requests as curl commands, without the token. */
export const withTrafficLog =
  (fetch: Fetch, { side, variable, onReply }: TrafficLogOptions): Fetch =>
  async (url, init) => {
    const { pathname, search } = new URL(url, location.origin);
    const path = `${pathname}${search}`;
    const { method = 'GET' } = init;
    const body = typeof init.body === 'string' ? init.body : undefined;
    const headers = Object.fromEntries(
      Object.entries(init.headers ?? {}).filter(([name]) => name !== 'Authorization'),
    );
    const shown = {
      method,
      path,
      variable,
      headers,
      body,
    };
    const entry = addRequest({
      side,
      method,
      path,
      body,
      curl: toCurlCommand(shown),
      at: new Date(),
    });
    const startedAt = performance.now();
    try {
      const response = await fetch(url, init);
      const milliseconds = Math.round(performance.now() - startedAt);
      const requestId = response.headers.get('Request-Id') ?? undefined;
      const reply = await response.clone().text();
      setRequestOutcome(entry, { status: response.status, milliseconds, reply, requestId });
      reportJsonReply(path, reply, onReply);
      return response;
    } catch (error) {
      const milliseconds = Math.round(performance.now() - startedAt);
      setRequestOutcome(entry, {
        status: 'none',
        milliseconds,
        reply: undefined,
        requestId: undefined,
      });
      throw error;
    }
  };

function reportJsonReply(path: string, reply: string, onReply: TrafficLogOptions['onReply']): void {
  let json: unknown;
  try {
    json = JSON.parse(reply);
  } catch {
    return;
  }
  onReply(path, json);
}
