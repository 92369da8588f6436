import type { Operation } from '../../../shared/contract/operation.ts';
import type { ObservedReply } from '../../response-invariants/observed-reply.ts';

/** Somebody with the groups that the token of the moment names. */
export interface Caller {
  id: string;
  username: string;
  groups: readonly string[];
  token: string;
}

export interface RequestParts {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** When something was under way, in the soak's own time: it counts what begins and ends, so no two moments are alike. */
export interface Span {
  startOrder: number;
  ended: number;
}

export interface Request {
  who: Caller;
  row: Operation;
  sent: RequestParts;
  startOrder: number;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** A request with its reply. Without one, the status is 0: what has become of it is not known. */
export interface Exchange extends Request, Span {
  endedAt: number;
  reply: ObservedReply;
}

/** Nobody can tell whether a write was carried out. */
export const hasUnknownOutcome = ({ reply }: Exchange): boolean =>
  reply.status === 0 || reply.status >= 500;

export const isSuccess = ({ reply, row }: Exchange): boolean =>
  reply.status === row.status || reply.status === row.statusIfExists;
