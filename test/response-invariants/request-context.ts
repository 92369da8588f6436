import type { Operation } from '../../shared/contract/operation.ts';

/** What a reply answers to, as far as the contract's promise depends on it. */
export interface RequestContext {
  /** Undefined for a path or method that the API does not have. */
  row: Operation | undefined;
  /** The paging parameters, if there are any. */
  query?: PageQuery;
  /** How many calls of the table it took, by whom that is known; nobody else reads what takes very many. */
  calls?: number;
  /** What Access-Control-Allow-Origin has to be; without it, anything. */
  allowsOrigin?: (shown: string | undefined) => boolean;
  /** What is no good request at all the gateway may refuse by itself, with a status of its own. */
  isGatewayReplyAllowed?: boolean;
}

export interface PageQuery {
  limit?: unknown;
  starting_after?: unknown;
  ending_before?: unknown;
}
