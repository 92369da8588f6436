import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { type ErrorCode, ErrorReply, errorCatalog } from '../../../shared/contract/errors.ts';
import { authenticationChallenge } from '../../../shared/contract/headers.ts';
import { summarize } from '../../api/call-operation.ts';
import {
  type HttpResponse,
  type RequestOptions,
  sendRequest,
  toBearer,
} from '../../api/http-request.ts';
import { type Check, requireValue } from '../target/check.ts';
import { getNoUsersReason, type VerifyTarget } from '../target/target.ts';

interface RejectedRequest {
  condition: string;
  path?: string;
  createRequest(token: string): RequestOptions;
  /** Whether `createRequest` receives a valid token instead of an empty string. */
  needsToken?: true;
  code: ErrorCode;
  cure: string;
}

const json = { 'Content-Type': 'application/json' };
const responsesFile = 'lib/constructs/api/gateway-responses.ts';
const signatureRemedy = `another gateway response handles this case: find its type in the access log (field refusal), and map the type to not_found in ${responsesFile}`;

const rejectedRequests: readonly RejectedRequest[] = [
  {
    condition: 'a request without a token',
    createRequest: () => ({}),
    code: 'token_missing',
    cure: `see UNAUTHORIZED in ${responsesFile}`,
  },
  {
    condition: 'an invalid token',
    createRequest: () => ({ headers: toBearer('nonsense') }),
    code: 'token_invalid',
    cure: `see ACCESS_DENIED in ${responsesFile}, and the context returned by the authorizer`,
  },
  {
    condition: 'an unknown path',
    path: '/v1/nothing',
    createRequest: (token) => ({ headers: toBearer(token) }),
    needsToken: true,
    code: 'not_found',
    cure: 'see lib/constructs/api/not-found.ts',
  },
  {
    condition: 'an unknown path with an incomplete AWS signature',
    path: '/v1/nothing',
    createRequest: () => ({ headers: { Authorization: 'AWS4-HMAC-SHA256 Credential=x' } }),
    code: 'not_found',
    cure: signatureRemedy,
  },
  {
    condition: 'an unknown method',
    createRequest: (token) => ({ method: 'PATCH', headers: toBearer(token) }),
    needsToken: true,
    code: 'not_found',
    cure: signatureRemedy,
  },
  {
    condition: 'a body of 300 KB',
    createRequest: (token) => ({
      method: 'POST',
      headers: { ...toBearer(token), ...json },
      body: 'x'.repeat(300_000),
    }),
    needsToken: true,
    code: 'body_too_large',
    cure: 'see shared/http, which rejects the body',
  },
  {
    condition: "a body of 11 MB, above the gateway's limit",
    createRequest: (token) => ({
      method: 'POST',
      headers: { ...toBearer(token), ...json },
      body: 'x'.repeat(11_000_000),
    }),
    needsToken: true,
    code: 'body_too_large',
    cure: `see REQUEST_TOO_LARGE in ${responsesFile}`,
  },
];

/**
 * Returns the checks whose requests the stage must reject. The gateway itself returns most of the
 * errors.
 */
export const gatewayChecks = (target: VerifyTarget): Check[] => [
  ...rejectedRequests.map(
    ({ condition, path = '/v1/messages', createRequest, needsToken, code, cure }): Check => {
      const { status } = errorCatalog[code];
      return {
        name: `Refusals: ${condition}`,
        expected: `${status} ${code}${status === 401 ? ` with WWW-Authenticate: ${authenticationChallenge}` : ''}, in the error format`,
        cure,
        run: async () => {
          const token = needsToken
            ? requireValue(target.users, getNoUsersReason(target)).all.ANN.token
            : '';
          const response = await sendRequest(`${target.url}${path}`, createRequest(token));
          const summary = summarize(response);
          if (summary !== `${status} ${code}`) throw new Problem(summary);
          requireErrorFormat(response);
          if (status === 401 && response.headers['www-authenticate'] !== authenticationChallenge) {
            throw new Problem(
              `${summary}, WWW-Authenticate: ${response.headers['www-authenticate']}`,
            );
          }
          return summary;
        },
      };
    },
  ),
  {
    name: 'Refusals: headers larger than 10 KB',
    expected: '4xx request_invalid, in the error format',
    cure: 'if the reply is not JSON, the gateway rejects the request before gateway responses apply. This cannot be fixed: document it in docs/api.md',
    run: async () => {
      const { ANN } = requireValue(target.users, getNoUsersReason(target)).all;
      const headers = { ...toBearer(ANN.token), 'X-Long': 'x'.repeat(12_000) };
      const response = await sendRequest(`${target.url}/v1/messages`, { headers });
      const summary = summarize(response);
      if (!/^4\d\d request_invalid$/.test(summary)) throw new Problem(summary);
      requireErrorFormat(response);
      return summary;
    },
  },
];

/** Throws a Problem if an error reply lacks the common error format or a required header. */
function requireErrorFormat(response: HttpResponse): void {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorReply), response.body);
  const faults = [
    ...(parsed.success ? [] : ['its body has another format']),
    ...(parsed.success && parsed.output.request_id !== response.headers['request-id']
      ? [`Request-Id ${response.headers['request-id']} differs from its request_id`]
      : []),
    ...(response.headers['access-control-allow-origin'] === undefined
      ? ['Access-Control-Allow-Origin is missing']
      : []),
    ...(response.headers['content-type'] === 'application/json'
      ? []
      : [`Content-Type is ${response.headers['content-type']}`]),
  ];
  if (faults.length > 0) throw new Problem(`${summarize(response)}, but ${faults.join('; ')}`);
}
