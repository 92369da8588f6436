import { env } from '../env.ts';
import { sendSigned } from '../signing/send-signed.ts';
import { signUrl } from '../signing/signature.ts';
import type { HttpReply } from '../signing/transport.ts';

type Texts = Record<string, string>;

/** The signature does not cover the body. For uploads by clients, S3 verifies the checksum. */
const bodyHash = 'UNSIGNED-PAYLOAD';
const bodyHeader = { 'x-amz-content-sha256': bodyHash };

function toObjectUrl(key: string, query: Texts): URL {
  const url = new URL(env('FILES_URL'));
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${key}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * Returns a URL that authorizes requests with this method and these headers for `seconds` seconds.
 * The URL does not contain the headers, because S3 ignores a checksum or tags in a URL
 * (github.com/aws/aws-sdk-go-v2 #2387, #1017).
 */
export async function presign(
  method: string,
  key: string,
  { query = {}, headers = {}, seconds }: { query?: Texts; headers?: Texts; seconds: number },
): Promise<string> {
  const url = toObjectUrl(key, { ...query, ...bodyHeader });
  const signed = await signUrl({ method, url, service: 's3', headers }, bodyHash, seconds);
  return signed.href;
}

/** Sends a signed request once. Throws if the reply's status is not in `expected`. */
export const send = (
  method: string,
  key: string,
  { query, headers, body }: { query: Texts; headers: Texts; body: Buffer | undefined },
  expected: readonly number[],
): Promise<HttpReply> =>
  sendSigned(
    {
      ...{ method, url: toObjectUrl(key, query), service: 's3', body, bodyHash },
      headers: { ...headers, ...bodyHeader },
    },
    expected,
  );
