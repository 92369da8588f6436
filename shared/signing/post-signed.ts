import { getDeadlineSignal } from '../deadline.ts';
import { post } from './post.ts';
import { getSignedHeaders, type UnsignedRequest } from './sign-request.ts';

const attemptMilliseconds = 2000;

/** Posts a signed request to AWS once and returns the body of the reply. Throws if it fails. */
export async function postSigned(request: UnsignedRequest): Promise<string> {
  const { service, url, body } = request;
  const headers = await getSignedHeaders(request);
  const toSignal = () =>
    AbortSignal.any([AbortSignal.timeout(attemptMilliseconds), getDeadlineSignal() ?? []].flat());
  const { status, text } = await post(url, headers, body, toSignal);
  if (status !== 200) {
    throw new Error(`The service ${service} answered ${status}: ${text.slice(0, 500)}`);
  }
  return text;
}
