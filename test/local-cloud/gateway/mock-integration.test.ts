import { describe, expect, test } from '@jest/globals';
import { createApi } from '../small-stack.ts';
import { createTestApi, json, sampleRequest } from './small-api.ts';

describe('a mock integration', () => {
  const integration = {
    Type: 'MOCK',
    PassthroughBehavior: 'NEVER',
    RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
    IntegrationResponses: [{ StatusCode: '204' }],
  };
  const mocked = (change: Record<string, unknown> = {}) =>
    createTestApi({
      resources: createApi({ 'ANY /thing/{id}': { Integration: { ...integration, ...change } } }),
    }).sendRequest;
  const type = (contentType: string) => ({ headers: [['Content-Type', contentType] as const] });

  test('returns the status, headers and body of its integration response', async () => {
    const response = {
      StatusCode: '404',
      ResponseParameters: {
        'method.response.header.Fixed': "'x'",
        'method.response.header.Request-Id': 'context.requestId',
      },
      ResponseTemplates: {
        'application/json': '{"id":"$context.requestId","link":"errors#not_found"}',
      },
    };
    expect(await mocked({ IntegrationResponses: [response] })('GET /thing/7')).toEqual({
      status: 404,
      headers: { ...json, Fixed: 'x', 'Request-Id': sampleRequest.id },
      body: `{"id":"${sampleRequest.id}","link":"errors#not_found"}`,
    });
  });

  test('rejects content types other than JSON', async () => {
    const sendRequest = mocked();
    expect(
      (await sendRequest('POST /thing/7', type('application/json; charset=utf-8'))).status,
    ).toBe(204);
    expect((await sendRequest('POST /thing/7')).status).toBe(204);
    expect(await sendRequest('POST /thing/7', type('text/plain'))).toEqual({
      status: 415,
      headers: json,
      body: '{"message":"Unsupported Media Type"}',
    });
  });

  const withTemplate = (text: string) => ({
    IntegrationResponses: [{ StatusCode: '200', ResponseTemplates: { 'application/json': text } }],
  });
  test.each<[string, Record<string, unknown>]>([
    ['PassthroughBehavior', { PassthroughBehavior: 'WHEN_NO_MATCH' }],
    ['RequestTemplates', { RequestTemplates: { 'application/json': '{}' } }],
    [
      'IntegrationResponses',
      { IntegrationResponses: [{ StatusCode: '200' }, { StatusCode: '500' }] },
    ],
    [
      'SelectionPattern',
      { IntegrationResponses: [{ StatusCode: '200', SelectionPattern: '2..' }] },
    ],
    ['ResponseTemplates', withTemplate("$input.params('id')")],
    ['ResponseTemplates', withTemplate('#if(true)1#end')],
  ])('is rejected if it has an unsupported %s', (name, change) => {
    expect(() => mocked(change)).toThrow(name);
  });
});
