import { describe, expect, test } from '@jest/globals';
import { createApi } from '../small-stack.ts';
import { createTestApi, json, sampleRequest } from './small-api.ts';

describe('a mocked method', () => {
  const mocked = (integration: Record<string, unknown>) =>
    createTestApi({
      resources: createApi({
        'ANY /thing/{id}': { Integration: { Type: 'MOCK', ...integration } },
      }),
    }).ask;
  const type = (contentType: string) => ({ headers: [['Content-Type', contentType] as const] });

  test('answers from its templates', async () => {
    const ask = mocked({
      RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
      IntegrationResponses: [
        {
          StatusCode: '404',
          ResponseParameters: {
            'method.response.header.Fixed': "'x'",
            'method.response.header.Request-Id': 'context.requestId',
          },
          ResponseTemplates: {
            'application/json':
              '{"id":"$context.requestId","thing":"$input.params(\'id\')","link":"errors#not_found"}',
          },
        },
      ],
    });
    expect(await ask('GET /thing/7')).toEqual({
      status: 404,
      headers: { ...json, Fixed: 'x', 'Request-Id': sampleRequest.id },
      body: `{"id":"${sampleRequest.id}","thing":"7","link":"errors#not_found"}`,
    });
  });

  test("selects its response by the template's status", async () => {
    const ask = mocked({
      RequestTemplates: { 'application/json': '{"statusCode": 503}' },
      IntegrationResponses: [
        { StatusCode: '200' },
        { StatusCode: '500', SelectionPattern: '5\\d\\d' },
      ],
    });
    expect((await ask('GET /thing/7')).status).toBe(500);
  });

  test('selects the template by content type, and rejects others if it never passes them through', async () => {
    const integration = {
      PassthroughBehavior: 'NEVER',
      RequestTemplates: { 'application/json': '{"statusCode":200}' },
      IntegrationResponses: [{ StatusCode: '204' }],
    };
    const ask = mocked(integration);
    expect((await ask('POST /thing/7', type('application/json; charset=utf-8'))).status).toBe(204);
    expect((await ask('POST /thing/7')).status).toBe(204);
    expect(await ask('POST /thing/7', type('text/plain'))).toEqual({
      status: 415,
      headers: json,
      body: '{"message":"Unsupported Media Type"}',
    });
    const passing = mocked({ ...integration, PassthroughBehavior: 'WHEN_NO_MATCH' });
    expect((await passing('POST /thing/7', type('text/plain'))).status).toBe(500);
  });
});
