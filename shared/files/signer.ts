import { env } from '../env.ts';
import { signHeaders, signUrl } from '../signing/signature.ts';

type Texts = Record<string, string>;

/** S3 checks the body by the signed checksum instead of the signature. */
const bodyHash = 'UNSIGNED-PAYLOAD';
const bodyHeader = { 'x-amz-content-sha256': bodyHash };

function toObjectUrl(key: string, query: Texts): URL {
  const url = new URL(env('FILES_URL'));
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${key}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * Returns a URL that allows one kind of request for this many seconds. The request must have the
 * given headers: S3 ignores a checksum or tags in the URL (github.com/aws/aws-sdk-go-v2 #2387,
 * #1017), so they stay headers.
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

/** Returns the URL and the headers, which are signed, of a request. The body is not signed. */
export async function sign(
  method: string,
  key: string,
  { query, headers }: { query: Texts; headers: Texts },
) {
  const url = toObjectUrl(key, query);
  const request = { method, url, service: 's3', headers: { ...headers, ...bodyHeader } };
  return { url, headers: await signHeaders(request, bodyHash) };
}
