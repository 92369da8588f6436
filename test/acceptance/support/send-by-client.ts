import { expect } from '@jest/globals';
import {
  type Answer,
  ApiError,
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

/** Client options by HTTP header. */
const options: Record<string, string> = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'If-None-Match': 'ifNoneMatch',
};

/**
 * Reports whether the client can send the request: the body is a JSON object, the ids are valid,
 * and the client has an option for each header.
 */
export const isSupportedByClient = ({ path = {}, body = {}, headers = {} }: Sent): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.values(path).every((id) => !['', '.', '..'].includes(id)) &&
  Object.keys(headers).every((name) => name in options);

interface Sending {
  url: string;
  who: { token: string };
  row: Operation;
  sent: Sent;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

type Method = (params: object, options: object) => Call<unknown> | List<unknown>;

/**
 * Sends the request with the operation's client method. Checks the client's result against the
 * reply and returns the raw reply.
 */
export async function sendByClient({ url, who, row, sent, fetch }: Sending): Promise<Response> {
  let response: Response | undefined;
  const client = createClient({
    url,
    token: who.token,
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

/** Checks that the client's result equals the reply. */
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
  const answer = Object(outcome) satisfies Answer<unknown>;
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
  expect(answer.data).toEqual(body && { ...body, ...cursors });
  expect(answer).toMatchObject({
    status,
    etag: headers.get('ETag'),
    requestId: headers.get('Request-Id'),
    replayed: headers.get('Idempotent-Replayed') === 'true',
  });
}
