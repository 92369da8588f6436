import { getDeadlineSignal } from '../deadline.ts';
import { getSignedHeaders, type UnsignedRequest } from './sign-request.ts';

const attemptMilliseconds = 2000;

/** Posts a signed request to AWS once and returns the body of the reply. Throws if it fails. */
export async function postSigned(request: UnsignedRequest): Promise<string> {
  const { service, url, body } = request;
  const signal = AbortSignal.any(
    [AbortSignal.timeout(attemptMilliseconds), getDeadlineSignal() ?? []].flat(),
  );
  const headers = await getSignedHeaders(request);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`The service ${service} answered ${response.status}: ${text.slice(0, 500)}`);
  }
  return text;
}
