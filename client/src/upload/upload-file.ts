import { NoReplyError } from '../api-error.ts';
import type { Methods } from '../generated/methods.ts';
import type { NewAttachment } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { pause } from '../requests/fetch-attempt.ts';
import { getRetryDelay } from '../requests/retry-delay.ts';
import { toApiError } from '../requests/to-api-error.ts';
import { type PutReply, putFile, type UploadProgress } from './put-file.ts';

export interface UploadParams {
  /** Conversation in which the file will be sent. */
  conversation_id: string;
  file: Blob;
  /** File name. Default: that of the `File`, or `file`. */
  name?: string | undefined;
  /** Media type. Default: that of the file, or `application/octet-stream`. */
  type?: string | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Called repeatedly during the upload; once at its end on platforms without XMLHttpRequest. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/**
 * Uploads a file and returns the attachment, whose `id` a message can contain. Repeats the whole
 * file after a lost connection, and gets a new URL if it has expired. Pages that do not import it
 * do not load it.
 */
export async function uploadFile(
  { attachments }: Pick<Methods, 'attachments'>,
  params: UploadParams,
  options: UploadOptions = {},
): Promise<NewAttachment> {
  const { file } = params;
  const body = {
    conversation_id: params.conversation_id,
    name: params.name ?? getName(file),
    type: params.type ?? toMediaType(file.type),
    size: file.size,
    sha256: await toSha256(file),
  };
  const create = () => attachments.create(body, options);
  let attachment = await create();
  for (let failures = 0; ; failures += 1) {
    const outcome = await putFile(attachment.upload, file, options).catch(toOutcome);
    if (isStored(outcome)) return attachment;
    if (failures >= (options.retries ?? maxRetries) || !isRetryable(outcome)) {
      throw outcome instanceof Error ? outcome : toApiError({ ...outcome, headers: noHeaders });
    }
    await pause(getRetryDelay(failures), options.signal);
    if ('status' in outcome && outcome.status === expiredStatus) attachment = await create();
  }
}

const maxRetries = 4;
const expiredStatus = 403;
const noHeaders = { get: () => null };

function toOutcome(error: unknown): NoReplyError {
  if (error instanceof NoReplyError) return error;
  throw error;
}

/** 412: an attempt whose reply was lost has stored the file. The URL admits no other. */
const isStored = (outcome: PutReply | NoReplyError) =>
  'status' in outcome && [200, 412].includes(outcome.status);

const isRetryable = (outcome: PutReply | NoReplyError) =>
  !('status' in outcome) || outcome.status === expiredStatus || outcome.status >= 500;

/** SHA-256 in base64. Platforms provide it to pages of https and of this machine only. */
async function toSha256(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

const getName = (file: Blob) =>
  ('name' in file && typeof file.name === 'string' && file.name.replaceAll(/[\\/]/g, '_')) ||
  'file';

/** Without parameters such as the charset. */
const toMediaType = (type: string) =>
  type.split(';', 1).join().trim().toLowerCase() || 'application/octet-stream';
