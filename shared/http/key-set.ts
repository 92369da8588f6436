import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { text } from 'node:stream/consumers';
import { FetchError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';

const timeoutMilliseconds = 2000;

/**
 * The issuer's public keys, fetched once an environment and again when a token names an unknown one. Differs from the
 * library's own fetcher in that the address may be plain http, which an issuer on one's own machine has.
 */
export const keySets = () =>
  new SimpleJwksCache({
    fetcher: {
      fetch: async (address) => {
        const body = await fetchText(address);
        return new TextEncoder().encode(body).buffer;
      },
    },
  });

async function fetchText(address: string): Promise<string> {
  const response = await request(address);
  const body = await text(response);
  if (response.statusCode !== 200) throw new FetchError(address, `status ${response.statusCode}`);
  return body;
}

const request = (address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const get = address.startsWith('http:') ? httpGet : httpsGet;
    // A connection of its own: a kept one may have been closed while this environment was frozen.
    const options = { signal: AbortSignal.timeout(timeoutMilliseconds), agent: false };
    const sent: ClientRequest = get(address, options, resolve);
    sent.once('error', (error) => reject(new FetchError(address, error.message)));
  });
