import type { IncomingMessage } from 'node:http';
import type { Caller, Callers } from '../stack/caller.ts';
import { isSignatureOf, parseAmzDate, signingAlgorithm } from '../stack/signature.ts';
import { accessDenied, S3Error } from './s3-error.ts';

/**
 * Maximum milliseconds that a signature's timestamp may be in the future. If the signature is in
 * headers, the timestamp may be equally far in the past.
 */
const maxSkewMilliseconds = 15 * 60_000;
const maxExpirySeconds = 604_800;
const unsignedPayload = 'UNSIGNED-PAYLOAD';

const credentialPattern = /^([^/]+)\/(\d{8}\/([^/]+)\/([^/]+)\/aws4_request)$/;
const authorizationPattern = new RegExp(
  `^${signingAlgorithm} Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$`,
);

interface Signature {
  credential: string;
  names: string;
  signature: string;
  date: string;
  /** Start and end of the validity in milliseconds since 1970. */
  validity: { from: number; until: number };
  payloadHash: string;
}

export interface SignedCaller {
  caller: Caller;
  /** Signed SHA-256 of the body in hexadecimal; `undefined` if the body is unsigned. */
  bodyHash: string | undefined;
}

/**
 * Returns the caller who signed the request in its URL or headers (Signature Version 4). Throws
 * S3's error if the signature is missing, invalid or expired, or if it does not cover the host and
 * every `x-amz-` header.
 */
export function findObjectCaller(
  { method = '', headers }: IncomingMessage,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  { callers, region, now }: { callers: Callers; region: string; now: number },
): SignedCaller {
  const query = new URLSearchParams(search);
  const signed = query.has('X-Amz-Signature') ? fromUrl(query) : fromHeaders(headers);
  const { credential, names, date, validity, payloadHash } = signed;
  if (now < validity.from) throw accessDenied('Request is not valid yet');
  if (now > validity.until) throw accessDenied('Request has expired');
  const [, accessKey = '', scope = '', signedRegion, service] =
    credentialPattern.exec(credential) ?? [];
  const caller = callers.get(accessKey);
  if (!caller) throw new S3Error(403, 'InvalidAccessKeyId', 'The access key is unknown.');
  const covered = names.split(';');
  const mustSign = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const unsigned = ['host', ...mustSign].filter((name) => !covered.includes(name));
  if (unsigned.length > 0) {
    throw accessDenied(
      `There were headers present in the request which were not signed: ${unsigned.join(', ')}`,
    );
  }
  const hasValidScope =
    signedRegion === region && service === 's3' && scope.startsWith(date.slice(0, 8));
  const request = { method, path: pathname, query: toCanonicalQuery(search), headers };
  if (
    !hasValidScope ||
    !isSignatureOf(signed.signature, { ...request, names, payloadHash, date, scope })
  ) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match the request.');
  }
  return { caller, bodyHash: payloadHash === unsignedPayload ? undefined : payloadHash };
}

function fromUrl(query: URLSearchParams): Signature {
  const get = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const expires = Number(get('Expires'));
  if (get('Algorithm') !== signingAlgorithm || !(expires >= 1 && expires <= maxExpirySeconds)) {
    const message = 'The query parameters of the signature are incomplete or invalid.';
    throw new S3Error(400, 'AuthorizationQueryParametersError', message);
  }
  const date = get('Date');
  const signedAt = parseAmzDate(date);
  return {
    credential: get('Credential'),
    names: get('SignedHeaders'),
    signature: get('Signature'),
    date,
    validity: { from: signedAt - maxSkewMilliseconds, until: signedAt + expires * 1000 },
    payloadHash: unsignedPayload,
  };
}

function fromHeaders(headers: IncomingMessage['headers']): Signature {
  const match = authorizationPattern.exec(headers.authorization ?? '');
  if (!match) throw accessDenied();
  const [, credential = '', names = '', signature = ''] = match;
  const date = String(headers['x-amz-date']);
  const signedAt = parseAmzDate(date);
  const validity = { from: signedAt - maxSkewMilliseconds, until: signedAt + maxSkewMilliseconds };
  const payloadHash = String(headers['x-amz-content-sha256']);
  return { credential, names, signature, date, validity, payloadHash };
}

/**
 * Returns the sorted query parameters without the signature. Does not encode the parameters,
 * because S3 clients sign them as sent.
 */
const toCanonicalQuery = (search: string): string =>
  search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&');
