import { afterEach, describe, expect, test } from '@jest/globals';
import { retrieveConversation } from '../../shared/contract/operations.ts';
import { create } from '../support/handlers/api-calls.ts';
import { commonHeaders } from '../support/handlers/common-headers.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { ann } from '../support/people/callers.ts';
import '../support/setup/use-table.ts';

describe('Every response, success or error,', () => {
  afterEach(() => {
    process.env.ALLOWED_ORIGINS = '*';
  });

  const originFor = async (allowed: string, Origin: string | undefined, id: string) => {
    process.env.ALLOWED_ORIGINS = allowed;
    const headers = Origin === undefined ? {} : { Origin };
    const call = { as: ann, path: { conversation_id: id }, headers };
    const reply = await request(retrieveConversation, call);
    return [reply.headers['Access-Control-Allow-Origin'], reply.headers.Vary];
  };

  test.each([
    ['allows any origin if the stage allows any', '*', 'https://x.example', '*', undefined],
    ['allows any origin even if the request has none', '*', undefined, '*', undefined],
    [
      'allows a configured origin',
      'https://a.example,https://b.example',
      'https://b.example',
      'https://b.example',
      'Origin',
    ],
    [
      'does not allow another origin',
      'https://a.example',
      'https://a.example.evil',
      undefined,
      'Origin',
    ],
    [
      'allows no origin if the stage has a list of origins and the request has none',
      'https://a.example',
      undefined,
      undefined,
      'Origin',
    ],
  ])('%s', async (_, allowed, origin, allowedOrigin, vary) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    expect(await originFor(allowed, origin, id)).toEqual([allowedOrigin, vary]);
    expect(await originFor(allowed, origin, 'garbage')).toEqual([allowedOrigin, vary]);
  });

  test('forbids caching, and has the request id and the version from package.json', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const retrieve = (conversation_id: string) =>
      request(retrieveConversation, { as: ann, path: { conversation_id } });
    const success = await retrieve(id);
    expect(success.headers).toEqual({ ...commonHeaders, ETag: expect.any(String) });
    const { headers, body } = await retrieve('garbage');
    expect(headers).toEqual(commonHeaders);
    expect(body).toMatchObject({ request_id: headers['Request-Id'] });
  });

  test('has a Content-Type only if it has a body', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const call = { as: ann, path: { conversation_id: id } };
    const whole = await request(retrieveConversation, call);
    expect(whole).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
    const headers = { 'If-None-Match': whole.headers.ETag ?? '' };
    const unchanged = await request(retrieveConversation, { ...call, headers });
    const { 'Content-Type': type, ...others } = whole.headers;
    expect(unchanged).toEqual({
      status: 304,
      body: '',
      headers: { ...others, 'Request-Id': unchanged.headers['Request-Id'] },
    });
  });
});
