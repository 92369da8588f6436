import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from '../options.ts';
import type { Call } from './call.ts';
import type { List } from './list.ts';

/**
 * The arguments of a method: parameters, then options. If no parameter is required, the parameters
 * can be omitted.
 */
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

/**
 * Creates the operations' methods. The generated `Methods` declare their parameters and results.
 * `inQuery` names the query parameters of requests that have a body.
 */
export interface MethodFactory {
  /** `fixed` contains the parameters that the method always sends. */
  get(path: string, fixed?: object): Send<CallOptions>;
  retrieve(path: string): Send<RetrieveOptions>;
  list(path: string): <Item>(params?: object, options?: CallOptions) => List<Item>;
  post(path: string, inQuery?: readonly string[]): Send<SendOptions>;
  put(path: string, inQuery?: readonly string[]): Send<ChangeOptions>;
  delete(path: string): Send<ChangeOptions>;
}

type Send<Options> = <Result>(params?: object, options?: Options) => Call<Result>;
