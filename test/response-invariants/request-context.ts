import type { Operation } from '../../shared/contract/operation.ts';

export interface RequestContext {
  /** Undefined for an unknown path or method. */
  row: Operation | undefined;
  query?: PageQuery;
  /** Number of the request's table calls, if known. Used only for lists with unread counts. */
  calls?: number;
  /** Checks Access-Control-Allow-Origin. By default, any non-empty value passes. */
  allowsOrigin?: (shown: string | undefined) => boolean;
  /** Whether the gateway may reject the request with a status that functions do not return. */
  isGatewayReplyAllowed?: boolean;
}

export interface PageQuery {
  limit?: unknown;
  starting_after?: unknown;
  ending_before?: unknown;
}
