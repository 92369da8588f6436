import { describe, expect, test } from '@jest/globals';
import { createApi, methodProperties } from '../small-stack.ts';
import { createTestApi, okOutcome, sampleRequest } from './small-api.ts';

describe('the event that a function receives', () => {
  const { sendRequest, events } = createTestApi({
    resources: createApi({ 'POST /v1/things/{id}': methodProperties('One') }),
    functions: { One: okOutcome },
  });
  const identity = {
    cognitoIdentityPoolId: null,
    accountId: null,
    cognitoIdentityId: null,
    caller: null,
    sourceIp: '127.0.0.1',
    principalOrgId: null,
    accessKey: null,
    cognitoAuthenticationType: null,
    cognitoAuthenticationProvider: null,
    userArn: null,
    userAgent: 'test/1',
    user: null,
  };

  test('equals the event that API Gateway sends', async () => {
    await sendRequest('POST /v1/things/7', {
      query: [
        ['a', '1'],
        ['b[]', ''],
        ['a', 'zwei ü'],
      ],
      headers: [
        ['Host', 'api.example.com:3000'],
        ['X-Thing', 'one'],
        ['x-other', 'o'],
        ['X-Thing', 'two'],
        ['User-Agent', 'test/1'],
        ['Connection', 'keep-alive'],
        ['Content-Length', '5'],
        ['X-Forwarded-For', '10.0.0.1'],
      ],
      body: Buffer.from('grüß'),
    });
    const trace = expect.stringMatching(/^Root=1-695735a5-[0-9a-f]{24}$/);
    expect(events.at(-1)).toEqual({
      resource: '/v1/things/{id}',
      path: '/v1/things/7',
      httpMethod: 'POST',
      headers: {
        Host: 'api.example.com:3000',
        'X-Thing': 'two',
        'x-other': 'o',
        'User-Agent': 'test/1',
        'X-Amzn-Trace-Id': trace,
        'X-Forwarded-For': '10.0.0.1, 127.0.0.1',
        'X-Forwarded-Port': '3000',
        'X-Forwarded-Proto': 'http',
      },
      multiValueHeaders: {
        Host: ['api.example.com:3000'],
        'X-Thing': ['one', 'two'],
        'x-other': ['o'],
        'User-Agent': ['test/1'],
        'X-Amzn-Trace-Id': [trace],
        'X-Forwarded-For': ['10.0.0.1, 127.0.0.1'],
        'X-Forwarded-Port': ['3000'],
        'X-Forwarded-Proto': ['http'],
      },
      queryStringParameters: { a: 'zwei ü', 'b[]': '' },
      multiValueQueryStringParameters: { a: ['1', 'zwei ü'], 'b[]': [''] },
      pathParameters: { id: '7' },
      stageVariables: null,
      requestContext: {
        accountId: '000000000000',
        apiId: expect.stringMatching(/^[0-9a-f]{10}$/),
        domainName: 'api.example.com',
        domainPrefix: 'api',
        extendedRequestId: sampleRequest.id,
        httpMethod: 'POST',
        identity,
        path: '/v1/things/7',
        protocol: 'HTTP/1.1',
        requestId: sampleRequest.id,
        requestTime: '02/Jan/2026:03:04:05 +0000',
        requestTimeEpoch: 1767323045678,
        resourceId: expect.stringMatching(/^[0-9a-f]{10}$/),
        resourcePath: '/v1/things/{id}',
        stage: 'test',
      },
      body: 'grüß',
      isBase64Encoded: false,
    });
  });

  test('contains null for a missing query or body', async () => {
    await sendRequest('POST /v1/things/7');
    expect(events.at(-1)).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
    });
  });

  test('cannot contain a binary body: an API with binary media types is rejected', () => {
    const resources = createApi({ 'POST /v1/things/{id}': methodProperties('One') });
    Object.assign(resources.Api?.Properties ?? {}, { BinaryMediaTypes: ['image/*'] });
    expect(() => createTestApi({ resources, functions: { One: okOutcome } })).toThrow(
      'BinaryMediaTypes',
    );
  });
});
