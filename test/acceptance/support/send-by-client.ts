import { expect } from '@jest/globals';
import {
  ApiError,
  type ApiResponse,
  type Call,
  createClient,
  type List,
} from '../../../client/src/index.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';

export interface Sent {
  path?: Record<string, string>;
  /** A list becomes a repeated parameter. */
  query?: Record<string, string | string[]>;
  body?: unknown;
  headers?: Record<string, string>;
}

const options: Record<string, string> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'If-None-Match': 'ifNoneMatch',
};

/**
 * Reports whether the body is an object, the ids are valid, and each header corresponds to a client
 * option.
 */
export const isSupportedByClient = ({ path = {}, body = {}, headers = {} }: Sent): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.values(path).every((id) => !['', '.', '..'].includes(id)) &&
  Object.keys(headers).every((name) => name in options);

interface Sending {
  url: string;
  user: { token: string };
  row: Operation;
  sent: Sent;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

type Method = (params: object, options: object) => Call<unknown> | List<unknown>;

/**
 * Sends the request with the operation's client method. Checks the client's result against the raw
 * reply. Returns the raw reply.
 */
export async function sendByClient({ url, user, row, sent, fetch }: Sending): Promise<Response> {
  let response: Response | undefined;
  const client = createClient({
    url,
    token: user.token,
    retries: 0,
    fetch: async (address, init) => {
      response = await fetch(address, init);
      return response.clone();
    },
  });
  const [resource = '', name = ''] = row.id.split('/');
  const method: Method = Reflect.get(Reflect.get(client, resource), name);
  const query = Object.entries(sent.query ?? {}).map(([parameter, value]) => [
    parameter.replace('[]', ''),
    parameter.endsWith('[]') ? [value].flat() : value,
  ]);
  const params = { ...sent.path, ...Object.fromEntries(query), ...Object(sent.body) };
  const headers = Object.entries(sent.headers ?? {});
  const called = method(
    params,
    Object.fromEntries(headers.map(([header, value]) => [options[header], value])),
  );
  const call = 'page' in called ? called.page() : called;
  const outcome = await call.withResponse().catch((error: unknown) => error);
  if (!response) throw outcome;
  await expectSame(outcome, response.clone());
  return response;
}

async function expectSame(outcome: unknown, response: Response): Promise<void> {
  const { status, headers } = response;
  const body = status === 304 ? null : JSON.parse(await response.text());
  if (status >= 400) {
    const { code, message, param, request_id: requestId, documentation_url } = body;
    const documentationUrl = documentation_url;
    expect(outcome).toBeInstanceOf(ApiError);
    expect(outcome).toMatchObject({ code, status, message, param, requestId, documentationUrl });
    return;
  }
  const result = Object(outcome) satisfies ApiResponse<unknown>;
  const link = headers.get('Link');
  const cursor = (rel: 'next' | 'prev', parameter: string) => {
    const value = getLinkQuery(link, rel)?.[parameter];
    return value === undefined ? null : { [parameter]: value };
  };
  const isPage = Array.isArray(body?.data);
  const cursors = isPage && {
    next: cursor('next', 'starting_after'),
    prev: cursor('prev', 'ending_before'),
  };
  expect(result.data).toEqual(body && { ...body, ...cursors });
  expect(result).toMatchObject({
    status,
    etag: headers.get('ETag'),
    requestId: headers.get('Request-Id'),
    replayed: headers.get('Idempotent-Replayed') === 'true',
  });
}
