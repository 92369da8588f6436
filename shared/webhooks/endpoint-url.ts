import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const maxLength = 2048;

/** Allowed destinations of requests: public addresses or, in the local cloud, only this machine. */
export type Reach = 'public' | 'local';

/** Thrown for a URL that cannot be an endpoint. The message is a predicate, such as “must be …”. */
export class UrlRefused extends Error {}

/**
 * Parses an endpoint's URL. Throws `UrlRefused` if the URL is longer than 2,048 characters, has
 * credentials, a fragment or a non-public address, or does not use https on port 443. The URL
 * parser normalizes decimal, octal and hex addresses, and rejects IPv6 zone ids. The local cloud
 * accepts only http URLs with the host 127.0.0.1.
 */
export function parseEndpointUrl(text: string, reach: Reach): URL {
  if (text.length > maxLength) throw new UrlRefused(`must be at most ${maxLength} characters`);
  if (!URL.canParse(text))
    throw new UrlRefused('must be a URL such as https://partner.example.com/hooks');
  const url = new URL(text);
  if (url.username || url.password) throw new UrlRefused('must not contain credentials');
  if (url.hash) throw new UrlRefused('must not contain a fragment');
  if (reach === 'local') {
    if (url.protocol === 'http:' && url.hostname === '127.0.0.1') return url;
    throw new UrlRefused('must begin with http://127.0.0.1, because this is the local cloud');
  }
  if (url.protocol !== 'https:') throw new UrlRefused('must begin with https://');
  if (url.port) throw new UrlRefused('must use port 443');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && !isPublicAddress(host)) throw new UrlRefused(notPublic(host));
  return url;
}

export const notPublic = (address: string) => `must be a public address, and ${address} is not`;
