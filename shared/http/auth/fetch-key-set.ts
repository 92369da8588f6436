import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { text } from 'node:stream/consumers';
import { FetchError } from 'aws-jwt-verify/error';
import { assertIsJwks, type Jwks } from 'aws-jwt-verify/jwk';
import { getServiceTimeout } from '../../service-timeout.ts';

const timeoutMilliseconds = getServiceTimeout(2000);

/** Fetches the issuer's key set. Times out after two seconds, or later in the local cloud. */
export async function fetchKeySet(address: string): Promise<Jwks> {
  const response = await sendRequest(address);
  const body = await text(response);
  if (response.statusCode !== 200) throw new FetchError(address, `status ${response.statusCode}`);
  try {
    const keys = JSON.parse(body);
    assertIsJwks(keys);
    return keys;
  } catch (error) {
    throw new FetchError(address, error);
  }
}

const sendRequest = (address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const get = address.startsWith('http:') ? httpGet : httpsGet;
    // Uses a new connection, because an idle one may have closed while this environment was frozen.
    const options = { signal: AbortSignal.timeout(timeoutMilliseconds), agent: false };
    const sent: ClientRequest = get(address, options, resolve);
    sent.once('error', (error) => reject(new FetchError(address, error.message)));
  });
