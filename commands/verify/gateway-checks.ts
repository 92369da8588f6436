import * as v from 'valibot';
import { type ErrorCode, ErrorReply, errorCatalog } from '../../shared/contract/errors.ts';
import { authenticationChallenge } from '../../shared/contract/headers.ts';
import { type Answer, type Asked, ask, bearer } from './ask.ts';
import { type Check, Differs, needed } from './check.ts';
import { inShort } from './client.ts';
import { noPeople, type Subject } from './subject.ts';

interface Refusal {
  what: string;
  path?: string;
  asked(token: string): Asked;
  /** Requires a valid token. */
  signedIn?: true;
  code: ErrorCode;
  cure: string;
}

const json = { 'Content-Type': 'application/json' };
const responses = 'lib/constructs/api/gateway-responses.ts';
const takesSignatures = `another gateway response handles this case: give the one named in the gateway's log the code not_found in ${responses}`;

const refusals: readonly Refusal[] = [
  {
    what: 'a request without a token',
    asked: () => ({}),
    code: 'token_missing',
    cure: `see UNAUTHORIZED in ${responses}`,
  },
  {
    what: 'an invalid token',
    asked: () => ({ headers: bearer('nonsense') }),
    code: 'token_invalid',
    cure: `see ACCESS_DENIED in ${responses}, and the context returned by the authorizer`,
  },
  {
    what: 'an unknown path',
    path: '/v1/nothing',
    asked: (token) => ({ headers: bearer(token) }),
    signedIn: true,
    code: 'not_found',
    cure: 'see lib/constructs/api/not-found.ts',
  },
  {
    what: 'an unknown path with an incomplete AWS signature',
    path: '/v1/nothing',
    asked: () => ({ headers: { Authorization: 'AWS4-HMAC-SHA256 Credential=x' } }),
    code: 'not_found',
    cure: takesSignatures,
  },
  {
    what: 'an unknown method',
    asked: (token) => ({ method: 'PATCH', headers: bearer(token) }),
    signedIn: true,
    code: 'not_found',
    cure: takesSignatures,
  },
  {
    what: 'a body of 300 KB',
    asked: (token) => ({
      method: 'POST',
      headers: { ...bearer(token), ...json },
      body: 'x'.repeat(300_000),
    }),
    signedIn: true,
    code: 'body_too_large',
    cure: 'see shared/http: the operation itself rejects it',
  },
  {
    what: "a body of 11 MB, above the gateway's limit",
    asked: (token) => ({
      method: 'POST',
      headers: { ...bearer(token), ...json },
      body: 'x'.repeat(11_000_000),
    }),
    signedIn: true,
    code: 'body_too_large',
    cure: `see REQUEST_TOO_LARGE in ${responses}`,
  },
];

/** Checks that errors of the gateway itself have the common error format. */
export const gatewayChecks = (subject: Subject): Check[] => [
  ...refusals.map(({ what, path = '/v1/messages', asked, signedIn, code, cure }): Check => {
    const { status } = errorCatalog[code];
    return {
      name: `Refusals: ${what}`,
      expected: `${status} ${code}${status === 401 ? ` with WWW-Authenticate: ${authenticationChallenge}` : ''}, in the error format`,
      cure,
      look: async () => {
        const token = signedIn ? needed(subject.people, noPeople(subject)).all.ANN.token : '';
        const answer = await ask(`${subject.url}${path}`, asked(token));
        const seen = inShort(answer);
        if (seen !== `${status} ${code}`) throw new Differs(seen);
        refuseOtherShape(answer);
        if (status === 401 && answer.headers['www-authenticate'] !== authenticationChallenge) {
          throw new Differs(`${seen}, WWW-Authenticate: ${answer.headers['www-authenticate']}`);
        }
        return seen;
      },
    };
  }),
  {
    name: 'Refusals: headers larger than 10 KB',
    expected: '4xx request_invalid, in the error format',
    cure: 'if it is not JSON, the gateway rejects it before gateway responses apply: document that in docs/errors.md; there is no fix',
    look: async () => {
      const { ANN } = needed(subject.people, noPeople(subject)).all;
      const headers = { ...bearer(ANN.token), 'X-Long': 'x'.repeat(12_000) };
      const answer = await ask(`${subject.url}/v1/messages`, { headers });
      const seen = inShort(answer);
      if (!/^4\d\d request_invalid$/.test(seen)) throw new Differs(seen);
      refuseOtherShape(answer);
      return seen;
    },
  },
];

/** Checks the format of every error and the headers of every reply. */
function refuseOtherShape(answer: Answer): void {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorReply), answer.body);
  const faults = [
    ...(read.success ? [] : ['its body has another format']),
    ...(read.success && read.output.request_id !== answer.headers['request-id']
      ? [`Request-Id ${answer.headers['request-id']} differs from its request_id`]
      : []),
    ...(answer.headers['access-control-allow-origin'] === undefined
      ? ['Access-Control-Allow-Origin is missing']
      : []),
    ...(answer.headers['content-type'] === 'application/json'
      ? []
      : [`Content-Type is ${answer.headers['content-type']}`]),
  ];
  if (faults.length > 0) throw new Differs(`${inShort(answer)}, but ${faults.join('; ')}`);
}
