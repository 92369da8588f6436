import { getDeadlineSignal } from '../deadline.ts';
import { type Posted, post } from './post.ts';
import { hash, signHeaders } from './signature.ts';

const attemptMilliseconds = 2000;

/** A reply of AWS with an error. */
export class ServiceError extends Error {
  readonly text: string;

  constructor(service: string, { status, text }: Posted) {
    super(`The service ${service} answered ${status}: ${text.slice(0, 500)}`);
    this.text = text;
  }
}

export interface SignedPost {
  /** Name of the AWS service in signatures. */
  service: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Posts a signed request to AWS once and returns the body of the reply. Throws a ServiceError if
 * AWS refuses it.
 */
export async function postSigned({
  service,
  url,
  headers: unsigned,
  body,
}: SignedPost): Promise<string> {
  const request = { method: 'POST', url, service, headers: unsigned };
  const headers = await signHeaders(request, hash(body));
  const toSignal = () =>
    AbortSignal.any([AbortSignal.timeout(attemptMilliseconds), getDeadlineSignal() ?? []].flat());
  const reply = await post(url, headers, body, toSignal);
  if (reply.status !== 200) throw new ServiceError(service, reply);
  return reply.text;
}
