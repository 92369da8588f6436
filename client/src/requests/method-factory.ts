import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from '../options.ts';
import { createCall } from './call.ts';
import { createIdempotencyKey } from './idempotency-key.ts';
import { createList, type Page, parseLinkCursors } from './list.ts';
import type { MethodFactory } from './method.ts';
import type { Request, RequestSender } from './request-sender.ts';

/** Returns a factory of methods that send their requests with `send`. */
export function createMethodFactory({ send }: Pick<RequestSender, 'send'>): MethodFactory {
  const retrieve =
    (path: string, fixed?: object) =>
    <Result>(params?: object, options: RetrieveOptions = {}) => {
      const headers = header('If-None-Match', options.ifNoneMatch);
      const all = fixed ? { ...params, ...fixed } : params;
      return createCall(send<Result>({ method: 'GET', path, params: all, headers }, options));
    };
  const change =
    (method: Request['method']) =>
    (path: string, inQuery?: readonly string[]) =>
    <Result>(params?: object, options: ChangeOptions = {}) => {
      const headers = header('If-Match', options.ifMatch);
      return createCall(send<Result>({ method, path, params, inQuery, headers }, options));
    };

  return {
    get: retrieve,
    retrieve,
    put: change('PUT'),
    delete: change('DELETE'),
    post:
      (path, inQuery) =>
      <Result>(params?: object, options: SendOptions = {}) => {
        const headers = header('Idempotency-Key', options.idempotencyKey ?? createIdempotencyKey());
        return createCall(
          send<Result>({ method: 'POST', path, params, inQuery, headers }, options),
        );
      },
    list:
      (path) =>
      <Item>(params?: object, options?: CallOptions) => {
        const query: Record<string, unknown> = { ...params };
        const { starting_after, ending_before, ...filters } = query;
        const isBackwards = (ending_before ?? null) !== null;
        return createList<Item>(async (at) => {
          const page = { ...filters, ...(at ?? { starting_after, ending_before }) };
          const response = await send<Page<Item>>({ method: 'GET', path, params: page }, options);
          const data = { ...response.data, ...parseLinkCursors(response.headers.get('Link')) };
          return { ...response, data };
        }, isBackwards);
      },
  };
}

const header = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value };
