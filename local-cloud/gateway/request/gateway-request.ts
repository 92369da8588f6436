import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Pairs = readonly (readonly [name: string, value: string])[];

export interface GatewayRequest {
  id: string;
  receivedAt: Date;
  method: string;
  /** Path as sent by the client: percent-encoded, with any trailing slash. */
  path: string;
  query: Pairs;
  /** Headers in their original order and case. */
  headers: Pairs;
  /** Size of the request line and the headers in bytes. */
  headBytes: number;
  body: Buffer;
  sourceIp: string;
}

export interface GatewayReply {
  status: number;
  headers: Pairs;
  body: string | Buffer;
}

export function toGatewayRequest(message: IncomingMessage, body: Buffer): GatewayRequest {
  const { method = 'GET', rawHeaders } = message;
  const url = toOriginForm(message.url ?? '/');
  const [path = '/', ...query] = url.split('?');
  return {
    id: randomUUID(),
    receivedAt: new Date(),
    method,
    path,
    query: [...new URLSearchParams(query.join('?'))],
    headers: toPairs(rawHeaders),
    headBytes: rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length + method.length),
    body,
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
  };
}

/** Returns the last value of a header. Ignores the case of the name. */
export const getHeader = ({ headers }: GatewayRequest, name: string): string | undefined =>
  headers.findLast(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];

/**
 * Returns the path and query of a request target, which may be an absolute URL. Returns `/` for a
 * target without a path, such as `*`.
 */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed ? `${parsed.pathname}${parsed.search}` : '/';
}

const toPairs = (flat: string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [
    flat[2 * index] ?? '',
    flat[2 * index + 1] ?? '',
  ]);
