import type { Call } from './call.ts';
import type { List } from './list.ts';
import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from './options.ts';

/** Parameters, then options. Parameters are optional if none is required. */
type Arguments<Params, Options> =
  Record<never, never> extends Params
    ? [params?: Params, options?: Options]
    : [params: Params, options?: Options];

export type Method<Params, Result, Options> = (...args: Arguments<Params, Options>) => Call<Result>;

export interface Retrieve<Params, Result> {
  (
    params: Params,
    options: RetrieveOptions & { ifNoneMatch: string | undefined },
  ): Call<Result | null>;
  (params: Params, options?: CallOptions): Call<Result>;
}

export type ListMethod<Params, Item> = (...args: Arguments<Params, CallOptions>) => List<Item>;

/** Creates the methods of operations. `inQuery` names query parameters of requests with a body. */
export interface MethodFactory {
  get<Params extends object, Result>(path: string): Method<Params, Result, CallOptions>;
  retrieve<Params extends object, Result>(path: string): Retrieve<Params, Result>;
  list<Params extends object, Item>(path: string): ListMethod<Params, Item>;
  post<Params extends object, Result>(
    path: string,
    inQuery?: readonly string[],
  ): Method<Params, Result, SendOptions>;
  put<Params extends object, Result>(
    path: string,
    inQuery?: readonly string[],
  ): Method<Params, Result, ChangeOptions>;
  delete<Params extends object, Result>(path: string): Method<Params, Result, ChangeOptions>;
}
