import { ApiError } from '../api-error.ts';
import { getDeadlineSignal } from '../deadline.ts';
import { pendingTag } from './presign-file.ts';
import { sign } from './signer.ts';

const attemptMilliseconds = 2000;
/** Longer, for files of 100 MB. */
const transferMilliseconds = 10_000;
const maxAttempts = 3;

/**
 * Retains an uploaded file: without its tag, the bucket's lifecycle does not remove it. Returns
 * false if there is none. Throws `unavailable`.
 */
export const retainFile = async (key: string): Promise<boolean> => {
  const { status } = await request('DELETE', key, [204, 404], { query: { tagging: '' } });
  return status === 204;
};

/** Removes a file, if there is one. Throws `unavailable`. */
export const removeFile = async (key: string): Promise<void> => {
  await request('DELETE', key, [204]);
};

/** Returns the media type of a file; `undefined` if there is none. Throws `unavailable`. */
export async function findFileType(key: string): Promise<string | undefined> {
  const { status, headers } = await request('HEAD', key, [200, 404]);
  return status === 200 ? (headers.get('content-type') ?? '') : undefined;
}

/** Returns the bytes of a file; `undefined` if there is none. Throws `unavailable`. */
export async function readFile(key: string): Promise<Buffer | undefined> {
  const options = { milliseconds: transferMilliseconds };
  const { status, bytes } = await request('GET', key, [200, 404], options);
  return status === 200 ? bytes : undefined;
}

/** Adds a file that the bucket's lifecycle removes unless it is retained. Keeps an existing one. */
export async function addPendingFile(key: string, type: string, body: Buffer): Promise<void> {
  const headers = { 'content-type': type, 'if-none-match': '*', 'x-amz-tagging': pendingTag };
  await request('PUT', key, [200, 412], { headers, body });
}

/** Returns whether a file is retained; `undefined` if there is none. Throws `unavailable`. */
export async function isFileRetained(key: string): Promise<boolean | undefined> {
  const { status, bytes } = await request('GET', key, [200, 404], { query: { tagging: '' } });
  const [, value = ''] = pendingTag.split('=');
  return status === 200 ? !bytes.toString().includes(`<Value>${value}</Value>`) : undefined;
}

interface RequestOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Maximum duration of an attempt. */
  milliseconds?: number;
}

interface Reply {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Returns a reply with one of these statuses. Retries others: an idle connection may be closed. */
async function request(
  method: string,
  key: string,
  expected: readonly number[],
  { query = {}, headers: own = {}, body, milliseconds = attemptMilliseconds }: RequestOptions = {},
): Promise<Reply> {
  let cause: unknown;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const { url, headers } = await sign(method, key, { query, headers: own });
      const signal = AbortSignal.any(
        [AbortSignal.timeout(milliseconds), getDeadlineSignal() ?? []].flat(),
      );
      const content = body && { body: new Uint8Array(body) };
      const response = await fetch(url, { method, headers, signal, ...content });
      const bytes = Buffer.from(await response.arrayBuffer());
      const { status } = response;
      if (expected.includes(status)) return { status, headers: response.headers, bytes };
      cause = new Error(`S3 answered ${status}: ${bytes.toString().slice(0, 500)}`);
    } catch (error) {
      cause = error;
    }
  }
  throw new ApiError('unavailable', { cause });
}
