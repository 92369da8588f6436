import type { Operation } from '../../shared/contract/operation.ts';

/** The parts of a request on which the expected reply depends. */
export interface RequestContext {
  /** Undefined for an unknown path or method. */
  row: Operation | undefined;
  /** The paging parameters, if any. */
  query?: PageQuery;
  /** The request's number of table calls, if known; relevant only for expensive lists. */
  calls?: number;
  /** Checks Access-Control-Allow-Origin; if undefined, any non-empty value passes. */
  allowsOrigin?: (shown: string | undefined) => boolean;
  /** The gateway may reject malformed requests itself, with its own status. */
  isGatewayReplyAllowed?: boolean;
}

export interface PageQuery {
  limit?: unknown;
  starting_after?: unknown;
  ending_before?: unknown;
}
