import { ApiError } from '../api-error.ts';
import type { HttpReply } from '../signing/transport.ts';
import { maxPauses, withRetries } from '../signing/with-retries.ts';
import { pendingTag } from './presign-file.ts';
import { send } from './signer.ts';

/**
 * Retains a file by removing the tag that makes the bucket expire it. Returns false if the file
 * does not exist. Throws `unavailable`.
 */
export const retainFile = async (key: string): Promise<boolean> => {
  const { status } = await request('DELETE', key, [204, 404], { query: { tagging: '' } });
  return status === 204;
};

/** Removes a file if it exists. Throws `unavailable`. */
export const removeFile = async (key: string): Promise<void> => {
  await request('DELETE', key, [204]);
};

/** Returns the media type of a file; `undefined` if it does not exist. Throws `unavailable`. */
export async function findFileType(key: string): Promise<string | undefined> {
  const { status, headers } = await request('HEAD', key, [200, 404]);
  return status === 200 ? (headers['content-type'] ?? '') : undefined;
}

/** Returns the bytes of a file; `undefined` if it does not exist. Throws `unavailable`. */
export async function readFile(key: string): Promise<Buffer | undefined> {
  const { status, body } = await request('GET', key, [200, 404]);
  return status === 200 ? body : undefined;
}

/**
 * Adds a file that expires unless `retainFile` removes its tag. Leaves an existing file unchanged.
 * Throws `unavailable`.
 */
export async function addPendingFile(key: string, type: string, body: Buffer): Promise<void> {
  const headers = { 'content-type': type, 'if-none-match': '*', 'x-amz-tagging': pendingTag };
  await request('PUT', key, [200, 412], { headers, body });
}

/** Reports whether a file is retained; `undefined` if it does not exist. Throws `unavailable`. */
export async function isFileRetained(key: string): Promise<boolean | undefined> {
  const { status, body } = await request('GET', key, [200, 404], { query: { tagging: '' } });
  const [, value = ''] = pendingTag.split('=');
  return status === 200 ? !body.toString().includes(`<Value>${value}</Value>`) : undefined;
}

interface RequestOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Sends a request, with retries. Throws `unavailable` if the last attempt fails. */
const request = (
  method: string,
  key: string,
  expected: readonly number[],
  { query = {}, headers = {}, body }: RequestOptions = {},
): Promise<HttpReply> => {
  const attempt = () => send(method, key, { query, headers, body }, expected);
  return withRetries(attempt, () => maxPauses.short).catch((cause) => {
    throw new ApiError('unavailable', { cause });
  });
};
