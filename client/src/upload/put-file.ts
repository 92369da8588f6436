import { NoReplyError } from '../api-error.ts';
import type { NewAttachment } from '../generated/types.ts';
import { getAbortReason } from '../requests/fetch-attempt.ts';

/** Progress of an upload, in bytes. */
export interface UploadProgress {
  readonly loaded: number;
  readonly total: number;
}

export interface PutOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface PutReply {
  status: number;
  text: string;
}

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

/** Uploads the file once. Rejects with `NoReplyError`, or with the signal's reason. */
export function putFile(
  target: NewAttachment['upload'],
  file: Blob,
  options: PutOptions,
): Promise<PutReply> {
  if (options.signal?.aborted) return Promise.reject(getAbortReason(options.signal));
  return typeof XMLHttpRequest === 'undefined'
    ? putByFetch(target, file, options)
    : putByRequest(new XMLHttpRequest(), target, file, options);
}

/** `fetch` does not report the progress of uploads. */
function putByRequest(
  request: UploadRequest,
  { method, url, headers }: NewAttachment['upload'],
  file: Blob,
  { signal, onProgress }: PutOptions,
): Promise<PutReply> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    const settle = (act: () => void) => () => {
      signal?.removeEventListener('abort', abort);
      act();
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress?.({ loaded, total: file.size });
    request.onload = settle(() => resolve({ status: request.status, text: request.responseText }));
    request.onerror = settle(() => reject(new NoReplyError('network', null, undefined)));
    request.onabort = settle(() => reject(signal ? getAbortReason(signal) : undefined));
    signal?.addEventListener('abort', abort, { once: true });
    request.send(file);
  });
}

async function putByFetch(
  { method, url, headers }: NewAttachment['upload'],
  file: Blob,
  { signal, onProgress }: PutOptions,
): Promise<PutReply> {
  try {
    const body = { method, headers, body: file, ...(signal && { signal }) };
    const response = await globalThis.fetch(url, body);
    onProgress?.({ loaded: file.size, total: file.size });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw getAbortReason(signal);
    throw new NoReplyError('network', null, cause);
  }
}
