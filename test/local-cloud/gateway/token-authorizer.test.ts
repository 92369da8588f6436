import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../../local-cloud/functions/thread-protocol.ts';
import { createTokenAuthorizer } from '../../../local-cloud/gateway/token-authorizer.ts';
import { createApi, functionUri, methodProperties } from '../small-stack.ts';
import {
  createTestApi,
  failWith,
  json,
  okOutcome,
  okReply,
  replyWith,
  sampleRequest,
} from './small-api.ts';

describe('the authorizer', () => {
  const policy = (Effect: string, Resource: string | string[]) => ({
    principalId: 'ann',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
    },
    context: { groups: 'team', exp: 7, admin: false },
  });
  const everything = 'arn:aws:execute-api:us-east-1:000000000000:*/test/*';

  const guarded = (authorize: (event: unknown) => Outcome, ttl = 300) =>
    createTestApi({
      resources: {
        ...createApi({
          'GET /thing': {
            ...methodProperties('One'),
            AuthorizationType: 'CUSTOM',
            AuthorizerId: { Ref: 'Guard' },
          },
          'PUT /thing': {
            ...methodProperties('One'),
            AuthorizationType: 'CUSTOM',
            AuthorizerId: { Ref: 'Guard' },
          },
        }),
        Guard: {
          Type: 'AWS::ApiGateway::Authorizer',
          Properties: {
            Type: 'TOKEN',
            AuthorizerUri: functionUri('Check'),
            AuthorizerResultTtlInSeconds: ttl,
            IdentitySource: 'method.request.header.Authorization',
            RestApiId: { Ref: 'Api' },
          },
        },
        Denied: {
          Type: 'AWS::ApiGateway::GatewayResponse',
          Properties: {
            ResponseType: 'ACCESS_DENIED',
            RestApiId: { Ref: 'Api' },
            StatusCode: '401',
            ResponseTemplates: {
              'application/json':
                '{"who":"$context.authorizer.principalId","groups":"$context.authorizer.groups","why":$context.error.messageString,"none":"$context.authorizer.none"}',
            },
          },
        },
      },
      functions: { One: okOutcome, Check: authorize },
    });
  const withToken = (token: string) => ({ headers: [['authorization', token] as const] });

  test('receives the token and the method’s ARN, and the function receives the authorizer’s context', async () => {
    const { sendRequest, events } = guarded(() => replyWith(policy('Allow', everything)));
    expect(await sendRequest('GET /thing', withToken('Bearer x'))).toEqual(okReply);
    expect(events[0]).toEqual({
      type: 'TOKEN',
      authorizationToken: 'Bearer x',
      methodArn: expect.stringMatching(
        /^arn:aws:execute-api:us-east-1:000000000000:[0-9a-f]{10}\/test\/GET\/thing$/,
      ),
    });
    expect(events[1]).toMatchObject({
      requestContext: {
        authorizer: {
          principalId: 'ann',
          integrationLatency: 0,
          groups: 'team',
          exp: '7',
          admin: 'false',
        },
      },
    });
  });

  test('is called once per token, for all methods', async () => {
    const { sendRequest, events } = guarded(() => replyWith(policy('Allow', everything)));
    await sendRequest('GET /thing', withToken('x'));
    await sendRequest('PUT /thing', withToken('x'));
    await sendRequest('GET /thing', withToken('y'));
    expect(events.filter((event) => JSON.stringify(event).includes('"TOKEN"'))).toHaveLength(2);
  });

  test('is called for each request if its TTL is 0', async () => {
    const { sendRequest, events } = guarded(() => replyWith(policy('Allow', everything)), 0);
    await sendRequest('GET /thing', withToken('x'));
    await sendRequest('GET /thing', withToken('x'));
    expect(events.filter((event) => JSON.stringify(event).includes('"TOKEN"'))).toHaveLength(2);
  });

  test('denies a method that its cached policy does not allow', async () => {
    const { sendRequest } = guarded(() => replyWith(policy('Allow', `${everything}GET/thing`)));
    expect((await sendRequest('GET /thing', withToken('x'))).status).toBe(200);
    expect((await sendRequest('PUT /thing', withToken('x'))).status).toBe(401);
  });

  test('that denies a request passes its context to the gateway response', async () => {
    const { sendRequest } = guarded(() => replyWith(policy('Deny', everything)));
    expect(await sendRequest('GET /thing', withToken('x'))).toEqual({
      status: 401,
      headers: json,
      body: '{"who":"ann","groups":"team","why":"User is not authorized to access this resource with an explicit deny","none":""}',
    });
  });

  test('is not called for a request without a token', async () => {
    const { sendRequest, events } = guarded(okOutcome);
    const unauthorized = { status: 401, headers: json, body: '{"message":"Unauthorized"}' };
    expect(await sendRequest('GET /thing')).toEqual(unauthorized);
    expect(await sendRequest('GET /thing', withToken(''))).toEqual(unauthorized);
    expect(events).toEqual([]);
  });

  test.each([
    ['throws Unauthorized', failWith('Unauthorized'), 401],
    ['throws another error', failWith('Task timed out'), 500],
    ['returns no decision', replyWith({}), 500],
    ['returns nothing', replyWith(null), 500],
    ['returns no policy', replyWith({ principalId: 'ann' }), 500],
    ['returns no principal', replyWith({ ...policy('Allow', '*'), principalId: undefined }), 500],
    [
      'returns an object in the context',
      replyWith({ ...policy('Allow', '*'), context: { a: {} } }),
      500,
    ],
  ])('that %s is called again for the next request', async (_, outcome, status) => {
    const { sendRequest, events } = guarded(() => outcome);
    const message = status === 401 ? 'Unauthorized' : null;
    const refused = { status, headers: json, body: JSON.stringify({ message }) };
    expect(await sendRequest('GET /thing', withToken('x'))).toEqual(refused);
    expect(await sendRequest('GET /thing', withToken('x'))).toEqual(refused);
    expect(events).toHaveLength(2);
  });
});

test("an authorizer's decision is cached for exactly the template's TTL", async () => {
  let now = 0;
  let callCount = 0;
  const authorizer = createTokenAuthorizer(
    {
      Type: 'TOKEN',
      AuthorizerUri: '',
      AuthorizerResultTtlInSeconds: 300,
      IdentitySource: 'method.request.header.Authorization',
      RestApiId: '',
    },
    async () => {
      callCount += 1;
      return replyWith({ principalId: 'ann', policyDocument: { Statement: [] } });
    },
    () => now,
  );
  const countCallsAt = async (milliseconds: number) => {
    now = milliseconds;
    await authorizer({ ...sampleRequest, headers: [['authorization', 'x']] }, 'arn');
    return callCount;
  };
  expect([await countCallsAt(0), await countCallsAt(299_999), await countCallsAt(300_000)]).toEqual(
    [1, 1, 2],
  );
});
