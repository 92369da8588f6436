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
  /** File name. Default: that of the `File`, or `file`. */
  name?: string | undefined;
  /** Media type. Default: that of the file, or `application/octet-stream`. */
  type?: string | undefined;
  /** SHA-256 of the file in base64, on platforms without `crypto.subtle`. */
  sha256?: string | undefined;
  /** Called repeatedly during the upload; once at its end on platforms without XMLHttpRequest. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Aborts the upload, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Maximum number of retries of the whole file. Default: 4. */
  retries?: number | undefined;
  /** Milliseconds without progress after which an attempt fails. Default: 30,000. */
  timeout?: number | undefined;
  /** Your own key. Another call with it and the same file resumes the same upload, for 20 hours. */
  idempotencyKey?: string | undefined;
}

/**
 * Uploads a file and returns the attachment, whose `id` a message can contain. Each attempt sends
 * the whole file to a new URL of the same attachment.
 */
export type Upload = (file: Blob | Uint8Array, options: UploadOptions) => Promise<NewAttachment>;

/** Returns the method that uploads files. */
export const createUpload =
  (create: Methods['attachments']['create'], defaults: ClientOptions): Upload =>
  async (given, { conversation_id, name, type, sha256, onProgress, ...options }) => {
    const file = ArrayBuffer.isView(given) ? new Blob([given.slice()]) : given;
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

/** Returns the failure of an attempt; `undefined` if the file is stored. */
async function attemptPut(
  ...[put, target, file, options]: [PutFile, ...Parameters<PutFile>]
): Promise<ApiError | NoReplyError | undefined> {
  const { signal } = options;
  try {
    const { status, text } = await put(target, file, options);
    // 412: an attempt whose reply was lost has stored the file. The URLs admit no other.
    return status === 200 || status === 412 ? undefined : toStorageError(status, text);
  } catch (cause) {
    if (signal?.aborted) throw getAbortReason(signal);
    // Browsers report a file that was changed as a failed network.
    hashes.delete(file);
    return cause instanceof NoReplyError ? cause : new NoReplyError('network', null, cause);
  }
}

/** Returns the error of S3, whose code is in XML. */
function toStorageError(status: number, text: string): ApiError | NoReplyError {
  const read = (name: string) => new RegExp(`<${name}>([^<]*)`).exec(text)?.[1];
  const fields = { code: read('Code'), message: read('Message'), request_id: read('RequestId') };
  const headers = { get: () => null };
  const error = toApiError({ status, headers, text: JSON.stringify(fields) });
  // S3 waited for the rest of the file. The status is 400.
  return hasCode(error, 'RequestTimeout') ? new NoReplyError('timeout', null, error) : error;
}

/** Statuses that another attempt may not have. 403: the device slept until the URL had expired. */
const retryableStatuses = [403, 408, 409, 429];

const isRetryable = (error: ApiError | NoReplyError) =>
  error instanceof NoReplyError || error.status >= 500 || retryableStatuses.includes(error.status);

/** Hashes of files, so that attempts without a network do not read them again. */
const hashes = new WeakMap<Blob, string>();

async function computeSha256(file: Blob): Promise<string> {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const { crypto } = globalThis;
  if (!crypto?.subtle)
    throw new FileReadError('This platform cannot compute the SHA-256: give it as `sha256`.');
  try {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    const sha256 = btoa(String.fromCharCode(...new Uint8Array(hash)));
    hashes.set(file, sha256);
    return sha256;
  } catch (cause) {
    throw new FileReadError('The file cannot be read.', cause);
  }
}

/** Returns the name of a `File`, without slashes, which the API refuses. */
export const getFileName = (file: Blob): string =>
  ('name' in file && typeof file.name === 'string' && file.name.replaceAll(/[\\/]/g, '_')) ||
  'file';

/** Returns the type without parameters, such as the charset. */
export function getMediaType(file: Blob): string {
  const type = file.type.split(';', 1).join().trim().toLowerCase();
  return /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/.test(type) ? type : 'application/octet-stream';
}
