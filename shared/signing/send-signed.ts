import { getDeadlineSignal } from '../deadline.ts';
import { getServiceTimeout } from '../service-timeout.ts';
import { hash, signHeaders, type UnsignedRequest } from './signature.ts';
import { createTransport, type HttpReply, type HttpRequest } from './transport.ts';

/** Maximum number of connections per host. A batch may publish to two hundred inboxes. */
const maxConnections = 25;

/** Connections to AWS services other than DynamoDB. Tests replace `transport`. */
export const services = {
  // The annotation lets esbuild remove the transport from functions that call only DynamoDB.
  transport: /* @__PURE__ */ createTransport({
    maxConnections,
    maxIdleMilliseconds: /* @__PURE__ */ getServiceTimeout(2000),
  }),
};

/** An error reply from AWS. */
export class ServiceError extends Error {
  readonly text: string;

  constructor(service: string, { status, body }: HttpReply) {
    const text = body.toString();
    super(`The service ${service} returned ${status}: ${text.slice(0, 500)}`);
    this.text = text;
  }
}

interface SignedRequest extends UnsignedRequest, Pick<HttpRequest, 'body'> {
  bodyHash: string;
}

/**
 * Sends a signed request to AWS, without retries. Throws a ServiceError for an unexpected status.
 * Rejects if there is no reply or the enclosing deadline passes.
 */
export async function sendSigned(
  { body, bodyHash, ...request }: SignedRequest,
  expected: readonly number[],
): Promise<HttpReply> {
  const headers = await signHeaders(request, bodyHash);
  const reply = await services.transport({ ...request, headers, body }, getDeadlineSignal());
  if (!expected.includes(reply.status)) throw new ServiceError(request.service, reply);
  return reply;
}

/** Posts a signed request to AWS once and returns the reply's body. Throws like `sendSigned`. */
export async function postSigned(
  request: Omit<UnsignedRequest, 'method'> & { body: string },
): Promise<string> {
  const reply = await sendSigned(
    { ...request, method: 'POST', bodyHash: hash(request.body) },
    [200],
  );
  return reply.body.toString();
}
