import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { defaultProvider } from '../signing/credentials.ts';

type Headers = Record<string, string>;

/** S3 checks the body by the signed checksum instead of the signature. */
const unsignedPayload = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/** The DynamoDB client bundles both packages. */
const createSigner = () =>
  new SignatureV4({
    service: 's3',
    region: env('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });

function toRequest(method: string, key: string, query: Headers, headers: Headers) {
  const { protocol, host, pathname } = new URL(env('FILES_URL'));
  return {
    method,
    protocol,
    hostname: host,
    path: `${pathname.replace(/\/$/, '')}/${key}`,
    query,
    headers: { host, ...headers, ...unsignedPayload },
  };
}

/**
 * Returns a URL that allows one kind of request for this many seconds. The request must have the
 * given headers: S3 ignores a checksum or tags in the URL (github.com/aws/aws-sdk-go-v2 #2387,
 * #1017), so they stay headers.
 */
export async function presign(
  method: string,
  key: string,
  { query = {}, headers = {}, seconds }: { query?: Headers; headers?: Headers; seconds: number },
): Promise<string> {
  const signed = await createSigner().presign(toRequest(method, key, query, headers), {
    expiresIn: seconds,
    unhoistableHeaders: new Set(Object.keys(headers)),
    signingDate: new Date(clock.now()),
  });
  return `${signed.protocol}//${signed.hostname}${signed.path}?${toSearch(signed.query ?? {})}`;
}

/** Returns the URL and the headers, which are signed, of a request. The body is not signed. */
export async function sign(
  method: string,
  key: string,
  { query, headers: own }: { query: Headers; headers: Headers },
) {
  const request = toRequest(method, key, query, own);
  const signed = await createSigner().sign(request, { signingDate: new Date(clock.now()) });
  // The HTTP client sets it.
  const { host: _, ...headers } = signed.headers;
  const search = toSearch(query);
  const url = `${signed.protocol}//${signed.hostname}${signed.path}${search && `?${search}`}`;
  return { url, headers };
}

/** Encodes as signatures require: also what encodeURIComponent leaves as it is. */
const toSearch = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
