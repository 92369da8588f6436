import { describe, expect, test } from '@jest/globals';
import { createApi, methodProperties } from '../small-stack.ts';
import { createTestApi, json, okOutcome, sampleRequest } from './small-api.ts';

describe('gateway responses', () => {
  const response = (properties: Record<string, unknown>) => ({
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: { RestApiId: { Ref: 'Api' }, ...properties },
  });

  test('have the status, headers and body that the API configures', async () => {
    const { sendRequest } = createTestApi({
      resources: {
        ...createApi({}),
        Missing: response({
          ResponseType: 'MISSING_AUTHENTICATION_TOKEN',
          StatusCode: '404',
          ResponseParameters: {
            'gatewayresponse.header.Fixed': "'a, b'",
            'gatewayresponse.header.Request-Id': 'context.requestId',
            'gatewayresponse.header.Origin': 'method.request.header.Origin',
            'gatewayresponse.header.Absent': 'method.request.header.Absent',
          },
          ResponseTemplates: {
            'application/json': '{"id":"$context.requestId","path":"$context.path"}',
          },
        }),
      },
    });
    const headers = [['origin', 'https://app.example.com'] as const];
    expect(await sendRequest('GET /nowhere', { headers })).toEqual({
      status: 404,
      headers: {
        ...json,
        Fixed: 'a, b',
        'Request-Id': sampleRequest.id,
        Origin: 'https://app.example.com',
      },
      body: `{"id":"${sampleRequest.id}","path":"/nowhere"}`,
    });
  });

  test('that the API does not configure have the DEFAULT_4XX body and their standard status', async () => {
    const { sendRequest } = createTestApi({
      resources: {
        ...createApi({}),
        Default: response({
          ResponseType: 'DEFAULT_4XX',
          ResponseTemplates: { 'application/json': '{"m":"$context.error.message"}' },
        }),
      },
    });
    expect(await sendRequest('GET /nowhere')).toEqual({
      status: 403,
      headers: json,
      body: '{"m":"Missing Authentication Token"}',
    });
  });

  test('that are not valid JSON are reported in the log', async () => {
    const { sendRequest, logged } = createTestApi({
      resources: {
        ...createApi({}),
        Default: response({
          ResponseType: 'DEFAULT_4XX',
          ResponseTemplates: { 'application/json': '{"path":"$context.path"}' },
        }),
      },
    });
    expect((await sendRequest('GET /a"b')).body).toBe('{"path":"/a"b"}');
    expect(logged).toEqual([expect.stringContaining('MISSING_AUTHENTICATION_TOKEN is not JSON')]);
  });
});

test.each([
  ['a body of more than 10 MB', { body: Buffer.alloc(10 * 1024 * 1024 + 1) }, 413],
  ['a body larger than Lambda accepts', { body: Buffer.alloc(6 * 1024 * 1024, 'x') }, 413],
  ['headers of more than 10 KB', { headBytes: 10_241 }, 431],
])(
  'the gateway refuses a request with %s and does not invoke the function',
  async (_, request, status) => {
    const resources = createApi({ 'POST /thing': methodProperties('One') });
    const { sendRequest, events } = createTestApi({ resources, functions: { One: okOutcome } });
    expect((await sendRequest('POST /thing', request)).status).toBe(status);
    expect(events).toEqual([]);
  },
);
