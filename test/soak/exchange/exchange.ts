import { getSuccessStatuses, type Operation } from '../../../shared/contract/operation.ts';
import type { ObservedReply } from '../../response-invariants/observed-reply.ts';

/** A caller with the groups of the current token. */
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

/** Start and end of a request in logical time: a counter that every start and end increments. */
export interface Span {
  startOrder: number;
  ended: number;
}

export interface Request {
  caller: Caller;
  row: Operation;
  sent: RequestParts;
  startOrder: number;
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** A request with its reply. If there is no reply, the status is 0 and the outcome is unknown. */
export interface Exchange extends Request, Span {
  endedAt: number;
  reply: ObservedReply;
}

/** Reports whether the request got no reply or a 5xx status and thus may have taken effect. */
export const hasUnknownOutcome = ({ reply }: Exchange): boolean =>
  reply.status === 0 || reply.status >= 500;

export const isSuccess = ({ reply, row }: Exchange): boolean =>
  getSuccessStatuses(row).includes(reply.status);
