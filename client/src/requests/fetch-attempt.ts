import { NoReplyError } from '../api-error.ts';
import type { Fetch, FetchResponse } from '../options.ts';

export interface Reply {
  readonly status: number;
  readonly headers: FetchResponse['headers'];
  readonly text: string;
}

/** Returns an aborted signal's reason or, on platforms that store no reason, an `AbortError`. */
export const getAbortReason = (signal: AbortSignal): unknown =>
  signal.reason ?? Object.assign(new Error('The call was aborted.'), { name: 'AbortError' });

/**
 * Sends one request and reads the whole reply. If either step fails or times out, returns the
 * error. If the signal is aborted, throws its reason.
 */
export async function attemptFetch(
  fetch: Fetch,
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
  { timeout, signal }: { timeout: number; signal: AbortSignal | undefined },
): Promise<Reply | NoReplyError> {
  const ending = new AbortController();
  const end = () => ending.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeout);
  signal?.addEventListener('abort', end);
  try {
    if (signal?.aborted) throw getAbortReason(signal);
    const response = await fetch(url, { ...init, signal: ending.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw getAbortReason(signal);
    const key = init.headers['Idempotency-Key'] ?? null;
    return new NoReplyError(isLate ? 'timeout' : 'network', key, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Waits for a number of milliseconds. If the signal is aborted, rejects with its reason. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      if (signal) reject(getAbortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
