import { getDeadlineSignal } from '../deadline.ts';
import { type Posted, post } from './post.ts';
import { getSignedHeaders, type UnsignedRequest } from './sign-request.ts';

const attemptMilliseconds = 2000;

/** A reply of AWS with an error. */
export class ServiceError extends Error {
  readonly text: string;

  constructor(service: string, { status, text }: Posted) {
    super(`The service ${service} answered ${status}: ${text.slice(0, 500)}`);
    this.text = text;
  }
}

/**
 * Posts a signed request to AWS once and returns the body of the reply. Throws a ServiceError if
 * AWS refuses it.
 */
export async function postSigned(request: UnsignedRequest): Promise<string> {
  const { service, url, body } = request;
  const headers = await getSignedHeaders(request);
  const toSignal = () =>
    AbortSignal.any([AbortSignal.timeout(attemptMilliseconds), getDeadlineSignal() ?? []].flat());
  const reply = await post(url, headers, body, toSignal);
  if (reply.status !== 200) throw new ServiceError(service, reply);
  return reply.text;
}
