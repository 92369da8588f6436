import { type ApiError, FileReadError, hasCode, NoReplyError } from '../api-error.ts';
import type { Methods } from '../generated/methods.ts';
import type { NewAttachment } from '../generated/types.ts';
import type { ClientOptions, PutFile } from '../options.ts';
import { getAbortReason, pause } from '../requests/fetch-attempt.ts';
import { createIdempotencyKey } from '../requests/idempotency-key.ts';
import { getRetryDelay } from '../requests/retry-delay.ts';
import { toApiError } from '../requests/to-api-error.ts';
import { putFile } from './put-file.ts';

/** Progress of an upload, in bytes. */
export interface UploadProgress {
  readonly loaded: number;
  readonly total: number;
}

export interface UploadOptions {
  /** Conversation in which the file will be sent. */
  conversation_id: string;
  /** File name. Default: the name of the `File`, or `file`. */
  name?: string | undefined;
  /** Media type. Default: the file's type, or `application/octet-stream`. */
  type?: string | undefined;
  /** SHA-256 of the file in base64; required on platforms without `crypto.subtle`. */
  sha256?: string | undefined;
  /**
   * Function to call during the upload. On platforms without XMLHttpRequest, the client calls the
   * function only once, at the end.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Aborts the upload, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of times to upload the whole file again. Default: the client's `retries`, or 4.
   */
  retries?: number | undefined;
  /**
   * Milliseconds without progress after which an attempt fails. On platforms without
   * XMLHttpRequest, the whole attempt may take this time plus one second per 10 kB. Default: the
   * client's `timeout`, or 30,000.
   */
  timeout?: number | undefined;
  /**
   * Your own idempotency key. For 24 hours, another call with this key and the same file uploads
   * to the same attachment.
   */
  idempotencyKey?: string | undefined;
}

/**
 * Uploads a file and returns the attachment, whose `id` a message can reference. Each attempt sends
 * the whole file to a new URL for the same attachment.
 */
export type Upload = (file: Blob | Uint8Array, options: UploadOptions) => Promise<NewAttachment>;

/** Returns the method that uploads files. */
export const createUpload =
  (create: Methods['attachments']['create'], defaults: ClientOptions): Upload =>
  async (content, { conversation_id, name, type, sha256, onProgress, ...options }) => {
    const file = ArrayBuffer.isView(content) ? new Blob([content.slice()]) : content;
    const { signal, idempotencyKey = createIdempotencyKey() } = options;
    const { retries = defaults.retries ?? 4, timeout = defaults.timeout ?? 30_000 } = options;
    const body = {
      conversation_id,
      name: name ?? getFileName(file),
      type: type ?? getMediaType(file),
      size: file.size,
      sha256: sha256 ?? (await computeSha256(file)),
    };
    const put = defaults.putFile ?? putFile;
    const report = (loaded: number) => onProgress?.({ loaded, total: file.size });
    for (let failures = 0; ; failures += 1) {
      const attachment = await create(body, { ...options, idempotencyKey });
      const failure = await attemptPut(put, attachment.upload, file, {
        ...{ signal, timeout, onProgress: report },
      });
      if (!failure) return attachment;
      if (failures >= retries || !isRetryable(failure)) throw failure;
      await pause(getRetryDelay(failures), signal);
    }
  };

/**
 * Returns the failure of an upload attempt; `undefined` if the file is stored. If the signal is
 * aborted, throws its reason.
 */
async function attemptPut(
  ...[put, target, file, options]: [PutFile, ...Parameters<PutFile>]
): Promise<ApiError | NoReplyError | undefined> {
  const { signal } = options;
  try {
    const { status, text } = await put(target, file, options);
    // 412: an earlier attempt stored the file, but its reply was lost. The URL accepts only this
    // file.
    return status === 200 || status === 412 ? undefined : toStorageError(status, text);
  } catch (cause) {
    if (signal?.aborted) throw getAbortReason(signal);
    // Browsers report a changed file as a network failure, so the next call must hash the file
    // again.
    hashes.delete(file);
    return cause instanceof NoReplyError ? cause : new NoReplyError('network', null, cause);
  }
}

/** Returns the error in an XML reply from S3. */
function toStorageError(status: number, text: string): ApiError | NoReplyError {
  const read = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(text)?.[1];
  const fields = { code: read('Code'), message: read('Message'), request_id: read('RequestId') };
  const headers = { get: () => null };
  const error = toApiError({ status, headers, text: JSON.stringify(fields) });
  // S3 timed out while it waited for the rest of the file, and replied 400.
  return hasCode(error, 'RequestTimeout') ? new NoReplyError('timeout', null, error) : error;
}

/** Statuses after which a retry may succeed. 403: the URL expired while the device slept. */
const retryableStatuses = [403, 408, 409, 429];

const isRetryable = (error: ApiError | NoReplyError) =>
  error instanceof NoReplyError || error.status >= 500 || retryableStatuses.includes(error.status);

/** Cached hashes by file, so that repeated calls without a network do not read the file again. */
const hashes = new WeakMap<Blob, string>();

async function computeSha256(file: Blob): Promise<string> {
  const cachedHash = hashes.get(file);
  if (cachedHash !== undefined) return cachedHash;
  const { crypto } = globalThis;
  if (!crypto?.subtle)
    throw new FileReadError('This platform cannot compute the SHA-256: pass it as `sha256`.');
  try {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    const sha256 = btoa(String.fromCharCode(...new Uint8Array(hash)));
    hashes.set(file, sha256);
    return sha256;
  } catch (cause) {
    throw new FileReadError('The file cannot be read.', cause);
  }
}

/**
 * Returns the file's name, or `file` if it has none. Replaces slashes and backslashes, which the
 * API rejects, with underscores.
 */
export const getFileName = (file: Blob): string =>
  ('name' in file && typeof file.name === 'string' && file.name.replaceAll(/[\\/]/g, '_')) ||
  'file';

/**
 * Returns the file's media type without parameters such as the charset; `application/octet-stream`
 * if the file has no valid one.
 */
export function getMediaType(file: Blob): string {
  const type = file.type.split(';', 1).join().trim().toLowerCase();
  return /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/.test(type) ? type : 'application/octet-stream';
}
