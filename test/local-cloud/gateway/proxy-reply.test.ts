import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../../local-cloud/functions/thread-protocol.ts';
import { createApi, methodProperties } from '../small-stack.ts';
import { createTestApi, failWith, json, replyWith } from './small-api.ts';

test('a streaming integration is rejected', async () => {
  const method = methodProperties('One', { ResponseTransferMode: 'STREAM' });
  const resources = createApi({ 'GET /thing': method });
  expect(() => createTestApi({ resources, functions: { One: () => replyWith({}) } })).toThrow(
    'ResponseTransferMode',
  );
});

describe('the reply of a function', () => {
  const getReply = async (reply: unknown) => {
    const resources = createApi({ 'GET /thing': methodProperties('One') });
    return createTestApi({ resources, functions: { One: () => replyWith(reply) } }).sendRequest(
      'GET /thing',
    );
  };

  test('reaches the client with its status, headers and body', async () => {
    const headers = { 'content-type': 'text/plain', etag: 7 };
    const multiValueHeaders = { link: ['a', 'b'] };
    const reply = { statusCode: '201', headers, multiValueHeaders, body: 'made' };
    expect(await getReply(reply)).toEqual({
      status: 201,
      headers: { 'content-type': 'text/plain', etag: '7', link: 'b' },
      body: 'made',
    });
  });

  test('requires only a status code', async () => {
    expect(await getReply({ statusCode: 204 })).toEqual({ status: 204, headers: json, body: '' });
  });

  test('reaches the client with reserved headers renamed or removed', async () => {
    const headers = { 'WWW-Authenticate': 'Bearer', Date: 'today', 'Content-Length': '3' };
    expect(await getReply({ statusCode: 401, headers })).toEqual({
      status: 401,
      headers: {
        ...json,
        'x-amzn-Remapped-WWW-Authenticate': 'Bearer',
        'x-amzn-Remapped-Date': 'today',
      },
      body: '',
    });
  });

  test.each([
    ['is null', null],
    ['is a string', 'fine'],
    ['has no status', { body: 'fine' }],
    ['has an invalid status', { statusCode: 99 }],
    ['has an object as body', { statusCode: 200, body: {} }],
    ['has a header with a line break', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
  ])('that %s becomes a 502 error', async (_, reply) => {
    expect(await getReply(reply)).toEqual({
      status: 502,
      headers: json,
      body: '{"message":"Internal server error"}',
    });
  });

  test('that fails becomes a 502 error', async () => {
    const resources = createApi({ 'GET /thing': methodProperties('One') });
    const { sendRequest } = createTestApi({
      resources,
      functions: { One: () => failWith('Task timed out') },
    });
    expect((await sendRequest('GET /thing')).status).toBe(502);
  });

  test('that exceeds the integration timeout becomes a 504 error', async () => {
    const resources = createApi({ 'GET /thing': methodProperties('One', { TimeoutInMillis: 50 }) });
    const never = () => new Promise<Outcome>(() => {});
    const { sendRequest } = createTestApi({ resources, functions: { One: never } });
    expect(await sendRequest('GET /thing')).toEqual({
      status: 504,
      headers: json,
      body: '{"message":"Endpoint request timed out"}',
    });
  });
});
