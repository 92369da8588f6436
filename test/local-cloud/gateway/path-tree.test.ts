import { describe, expect, test } from '@jest/globals';
import { createApi, methodProperties } from '../small-stack.ts';
import { createTestApi, json, okOutcome, okReply, replyWith } from './small-api.ts';

const missing = { status: 403, headers: json, body: '{"message":"Missing Authentication Token"}' };

describe('the gateway', () => {
  const { sendRequest, events } = createTestApi({
    resources: createApi({
      'GET /v1/things/{id}': methodProperties('One'),
      'ANY /v1/things/{id}': methodProperties('Other'),
      'GET /v1/things/special': methodProperties('One'),
      'GET /v1/{rest+}': methodProperties('One'),
    }),
    functions: { One: okOutcome, Other: () => replyWith({ statusCode: 200, body: 'any' }) },
  });

  test.each([
    ['GET /v1/things/7', '/v1/things/{id}', { id: '7' }],
    ['GET /v1/things/7/', '/v1/things/{id}', { id: '7' }],
    ['GET /v1/things/a%2Fb%20c', '/v1/things/{id}', { id: 'a/b c' }],
    ['GET /v1/things/50%', '/v1/things/{id}', { id: '50%' }],
    ['GET /v1/things/special', '/v1/things/special', null],
    ['GET /v1/things/7/parts', '/v1/{rest+}', { rest: 'things/7/parts' }],
    ['GET /v1/things', '/v1/{rest+}', { rest: 'things' }],
  ])('routes %s to %s with the path parameters %j', async (route, resource, pathParameters) => {
    expect(await sendRequest(route)).toEqual(okReply);
    expect(events.at(-1)).toMatchObject({ resource, pathParameters, path: route.split(' ')[1] });
  });

  test('prefers a named method over ANY', async () => {
    expect((await sendRequest('PUT /v1/things/7')).body).toBe('any');
    expect((await sendRequest('GET /v1/things/7')).body).toBe('fine');
  });

  test.each(['GET /', 'GET /v1', 'GET /other', 'POST /v1/things/special', 'GET //v1/things/7'])(
    'returns 403 for %s, which has no method',
    async (route) => {
      expect(await sendRequest(route)).toEqual(missing);
    },
  );
});
