import { NoReplyError } from '../api-error.ts';
import type { Fetch, PutFile, PutFileOptions } from '../options.ts';
import { attemptFetch, getAbortReason } from '../requests/fetch-attempt.ts';

/** The part of the platform's XMLHttpRequest that the client uses. */
interface UploadRequest {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
}
declare const XMLHttpRequest: (new () => UploadRequest) | undefined;

/** Uploads a file with XMLHttpRequest if available, because `fetch` reports no upload progress. */
export const putFile: PutFile = (target, file, options) => {
  if (options.signal?.aborted) return Promise.reject(getAbortReason(options.signal));
  return typeof XMLHttpRequest === 'undefined'
    ? putByFetch(target, file, options)
    : putByRequest(new XMLHttpRequest(), target, file, options);
};

function putByRequest(
  request: UploadRequest,
  { method, url, headers }: Parameters<PutFile>[0],
  file: Blob,
  { signal, timeout, onProgress }: PutFileOptions,
): ReturnType<PutFile> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(abort, timeout);
    };
    const settle = (action: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      action();
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      restartTimer();
      onProgress(loaded);
    };
    request.onload = settle(() => resolve({ status: request.status, text: request.responseText }));
    request.onerror = settle(() => reject(new NoReplyError('network', null)));
    request.onabort = settle(() =>
      reject(signal?.aborted ? getAbortReason(signal) : new NoReplyError('timeout', null)),
    );
    signal?.addEventListener('abort', abort, { once: true });
    restartTimer();
    request.send(file);
  });
}

/**
 * Minimum upload speed that the timeout of `fetch` allows, in bytes per millisecond. `fetch`
 * reports no progress, so the timeout applies to the whole upload.
 */
const minFetchSpeed = 10;

const putByFetch: PutFile = async ({ method, url, headers }, file, options) => {
  const { signal, timeout, onProgress } = options;
  const send: Fetch = (address, init) => globalThis.fetch(address, { ...init, body: file });
  const limits = { signal, timeout: timeout + file.size / minFetchSpeed };
  const reply = await attemptFetch(send, url, { method, headers }, limits);
  if (reply instanceof NoReplyError) throw reply;
  onProgress(file.size);
  return reply;
};
