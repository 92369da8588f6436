import {
  type BinaryLike,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { credentialSource } from './credentials.ts';

/** A request to sign. Header names are in lower case. */
export interface UnsignedRequest {
  method: string;
  url: URL;
  /** Name of the AWS service in signatures. */
  service: string;
  headers: Readonly<Record<string, string>>;
}

const algorithm = 'AWS4-HMAC-SHA256';

export const hash = (data: BinaryLike): string => createHash('sha256').update(data).digest('hex');

const hmac = (key: BinaryLike | KeyObject, text: string) =>
  createHmac('sha256', key).update(text).digest();

/**
 * Returns the request's headers with a Signature Version 4 signature. Omits `host`, which HTTP
 * clients add.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signHeaders(
  { headers: unsigned, ...request }: UnsignedRequest,
  bodyHash: string,
): Promise<Record<string, string>> {
  const { sessionToken: token, ...signing } = await createSigning(request.service);
  const headers = {
    ...unsigned,
    'x-amz-date': signing.time,
    ...(token && { 'x-amz-security-token': token }),
  };
  const { signedHeaders, signature } = signing.sign({ ...request, headers }, bodyHash);
  const authorization = `${algorithm} Credential=${signing.credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
  return { ...headers, authorization };
}

/**
 * Returns a URL whose signature is valid for the given number of seconds, and only for requests
 * with exactly the given headers.
 */
export async function signUrl(
  { url: unsigned, ...request }: UnsignedRequest,
  bodyHash: string,
  seconds: number,
): Promise<URL> {
  const { sessionToken: token, ...signing } = await createSigning(request.service);
  const url = new URL(unsigned);
  const query = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': signing.credential,
    'X-Amz-Date': signing.time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': listHeaders({ url, ...request }).names,
    ...(token && { 'X-Amz-Security-Token': token }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.search = toCanonicalQuery(url);
  const { signature } = signing.sign({ url, ...request }, bodyHash);
  url.search += `&X-Amz-Signature=${signature}`;
  return url;
}

/** Signing keys by secret and scope. The scope changes daily. Deriving a key takes four hashes. */
const signingKeys = new Map<string, KeyObject>();
const maxSigningKeys = 20;

function getSigningKey(secret: string, scope: readonly string[]): KeyObject {
  const name = [secret, ...scope].join('/');
  const known = signingKeys.get(name);
  if (known) return known;
  if (signingKeys.size >= maxSigningKeys) signingKeys.clear();
  const key = createSecretKey(scope.reduce(hmac, Buffer.from(`AWS4${secret}`)));
  signingKeys.set(name, key);
  return key;
}

async function createSigning(service: string) {
  const { accessKeyId, secretAccessKey, sessionToken } = await credentialSource.read();
  const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [time.slice(0, 8), env('AWS_REGION'), service, 'aws4_request'];
  const key = getSigningKey(secretAccessKey, scope);
  return {
    sessionToken,
    time,
    credential: [accessKeyId, ...scope].join('/'),
    sign: (request: UnsignedRequest, bodyHash: string) => {
      const { names, lines } = listHeaders(request);
      const canonicalRequest = [
        request.method,
        request.url.pathname,
        toCanonicalQuery(request.url),
        ...lines,
        '',
        names,
        bodyHash,
      ].join('\n');
      const text = [algorithm, time, scope.join('/'), hash(canonicalRequest)].join('\n');
      return { signedHeaders: names, signature: hmac(key, text).toString('hex') };
    },
  };
}

function listHeaders({ url, headers }: UnsignedRequest) {
  const all = Object.entries({ host: url.host, ...headers }).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    names: all.map(([name]) => name).join(';'),
    lines: all.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
  };
}

const toCanonicalQuery = ({ searchParams }: URL): string =>
  [...searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');

/** Percent-encodes text for signatures, including `!'()*`, unlike encodeURIComponent. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
