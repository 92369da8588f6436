import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { startReadTimer } from '../read-timer.ts';
import { notPublic, parseEndpointUrl, type Reach, UrlRefused } from './endpoint-url.ts';
import { createGuardedLookup, type ResolveName } from './guarded-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** Maximum milliseconds to connect, send the request and receive the reply. */
export const maxPostMilliseconds = 15_000;
/** Maximum number of bytes to read from the reply's body; the rest is not downloaded. */
const maxReplyBytes = 1024;

export interface EndpointReply {
  status: number;
  retryAfter: string | undefined;
  /** At most the first 1,024 bytes of the body. */
  text: string;
}

export interface PostOptions {
  reach: Reach;
  milliseconds?: number;
  /** Resolver and certificate authority for tests. */
  resolveName?: ResolveName;
  ca?: string;
}

/**
 * Posts to an endpoint once, over a new connection, without following redirects. Checks the URL
 * and, outside the local cloud, all addresses of its host name and the address to which the socket
 * connects. Rejects if a check fails or no reply arrives in time.
 */
export function postToEndpoint(
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { reach, milliseconds = maxPostMilliseconds, resolveName, ca }: PostOptions,
): Promise<EndpointReply> {
  return new Promise((resolve, reject) => {
    const url = parseEndpointUrl(target, reach);
    const isPublic = reach === 'public';
    const request = (isPublic ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // Each request needs a new connection, because the address is checked only when a connection
      // opens.
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(isPublic && { lookup: createGuardedLookup(resolveName) }),
      ...(ca !== undefined && { ca }),
    });
    let onTimeout = (): void => {
      request.destroy(new Error(`No reply within ${milliseconds / 1000} seconds.`));
    };
    const timer = startReadTimer(milliseconds, () => onTimeout());
    request.once('close', timer.cancel);
    request.once('error', reject);
    if (isPublic) request.once('socket', (socket) => refusePrivatePeer(request, socket));
    request.once('response', (response) => {
      // The status is known. If reading the body times out, resolves with the reply, not an error.
      onTimeout = readReply(response, resolve);
    });
    request.end(body);
  });
}

/** Destroys the request, before sending any data, if the socket's peer address is not public. */
export function refusePrivatePeer(
  request: { destroy(error: Error): unknown },
  socket: Pick<Socket, 'once' | 'remoteAddress'>,
): void {
  socket.once('connect', () => {
    const { remoteAddress = '' } = socket;
    if (!isPublicAddress(remoteAddress)) request.destroy(new UrlRefused(notPublic(remoteAddress)));
  });
}

/**
 * Reads the reply's body. Returns a function that ends the read and resolves with the bytes read so
 * far.
 */
function readReply(response: IncomingMessage, resolve: (reply: EndpointReply) => void): () => void {
  const parts: Buffer[] = [];
  const settle = () => {
    const text = Buffer.concat(parts).subarray(0, maxReplyBytes).toString();
    const { statusCode: status = 0, headers } = response;
    resolve({ status, retryAfter: headers['retry-after'], text });
    response.destroy();
  };
  response.on('data', (part: Buffer) => {
    parts.push(part);
    if (parts.reduce((sum, { length }) => sum + length, 0) >= maxReplyBytes) settle();
  });
  response.once('end', settle);
  response.once('error', settle);
  return settle;
}
