import { Problem } from '../../../lib/problem.ts';
import { exposedHeaders, requestHeaders } from '../../../shared/contract/headers.ts';
import { sendRequest, toBearer } from '../../api/http-request.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

const otherOrigin = 'https://verify.example.org';

export const browserChecks = (target: VerifyTarget): Check[] => [
  preflightCheck(target),
  readableReplyCheck(target),
  otherOriginCheck(target),
];

const preflightCheck = (target: VerifyTarget): Check => ({
  name: 'Browsers: preflight from an allowed origin',
  expected: '204 with the methods and headers that clients use',
  cure: 'see lib/constructs/api/preflights.ts',
  run: async () => {
    const origin = getAllowedOrigin(target);
    const response = await sendRequest(`${target.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': requestHeaders.join(', ').toLowerCase(),
      },
    });
    const allowed = response.headers['access-control-allow-headers']?.toLowerCase() ?? '';
    return throwFaults([
      ...(response.status === 204 ? [] : [`${response.status}`]),
      ...findOriginFaults(response.headers['access-control-allow-origin'], origin),
      ...requestHeaders
        .filter((name) => !allowed.includes(name.toLowerCase()))
        .map((name) => `${name} is not allowed`),
      ...(response.headers['access-control-allow-methods']?.includes('POST')
        ? []
        : ['POST is not allowed']),
    ]);
  },
});

const readableReplyCheck = (target: VerifyTarget): Check => ({
  name: 'Browsers: reply and headers readable from an allowed origin',
  expected: '200 for that origin, with all documented headers exposed',
  cure: 'see shared/http, and ALLOWED_ORIGINS of the functions',
  run: async () => {
    const { ANN } = requireValue(target.users, getNoUsersReason(target)).all;
    const origin = getAllowedOrigin(target);
    const { status, headers } = await sendRequest(`${target.url}/v1/conversations?limit=1`, {
      headers: { ...toBearer(ANN.token), Origin: origin },
    });
    const exposed = headers['access-control-expose-headers'] ?? '';
    return throwFaults([
      ...(status === 200 ? [] : [`${status}`]),
      ...findOriginFaults(headers['access-control-allow-origin'], origin),
      ...exposedHeaders
        .filter((name) => !exposed.includes(name))
        .map((name) => `${name} is not exposed`),
    ]);
  },
});

const otherOriginCheck = (target: VerifyTarget): Check => ({
  name: 'Browsers: reply not readable from another origin',
  expected: 'a reply that does not allow that origin',
  cure: 'see allowedOrigins in lib/stages.ts, and ALLOWED_ORIGINS of the functions',
  run: async () => {
    const origins = requireValue(target.stage, noServicesReason).allowedOrigins;
    if (origins.includes('*')) throw new NotCheckable('the stage allows every origin');
    const { ANN } = requireValue(target.users, getNoUsersReason(target)).all;
    const { headers } = await sendRequest(`${target.url}/v1/conversations?limit=1`, {
      headers: { ...toBearer(ANN.token), Origin: otherOrigin },
    });
    const allowedValue = headers['access-control-allow-origin'];
    if (allowedValue === '*' || allowedValue === otherOrigin)
      throw new Problem(`allows ${allowedValue}`);
    return `allows ${allowedValue ?? 'none'}`;
  },
});

/** Returns an origin that the stage allows, or an arbitrary origin if the stage is unknown. */
function getAllowedOrigin({ stage }: VerifyTarget): string {
  const [first = '*'] = stage?.allowedOrigins ?? [];
  return first === '*' ? otherOrigin : first;
}

const findOriginFaults = (allowedValue: string | undefined, origin: string) =>
  allowedValue === '*' || allowedValue === origin
    ? []
    : [`allows the origin ${allowedValue ?? 'none'}`];

function throwFaults(faults: readonly string[]): string {
  if (faults.length > 0) throw new Problem(faults.join('; '));
  return 'as expected';
}
