import type * as v from 'valibot';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { Sent } from '../../acceptance/support/api.ts';
import type { Participant } from './abuse-run.ts';

/** A call that somebody honest makes while others do what they do: what it is called, and what must come of it. */
export interface HonestCall {
  title: string;
  who: Participant;
  row: Operation;
  sent: Sent;
  /** The status that is right; by default that of success. */
  status: number;
  /** Throws when the reply's body is not right. */
  check(body: unknown): void;
}

/** A call that succeeds; `right` is given the reply as the contract has it. */
export function honestCall<Row extends Operation>(
  title: string,
  who: Participant,
  row: Row,
  sent: Sent,
  right?: (body: v.InferOutput<Row['reply']>) => void,
): HonestCall;
export function honestCall(
  title: string,
  who: Participant,
  row: Operation,
  sent: Sent,
  right: (body: unknown) => void = () => {},
): HonestCall {
  return { title, who, row, sent, status: row.status, check: right };
}

/** A call that is refused. */
export const refusedCall = (
  title: string,
  who: Participant,
  row: Operation,
  sent: Sent,
  status: number,
): HonestCall => ({ title, who, row, sent, status, check: () => {} });
