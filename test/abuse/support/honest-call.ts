import type * as v from 'valibot';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { Sent } from '../../acceptance/support/api.ts';
import type { Participant } from './abuse-run.ts';

/** A regular call made during the abuse: its title and expected result. */
export interface HonestCall {
  title: string;
  who: Participant;
  row: Operation;
  sent: Sent;
  /** The expected status; by default the operation's success status. */
  status: number;
  /** Throws if the reply's body is wrong. */
  check(body: unknown): void;
}

/** Returns a call that must succeed; `right` checks the parsed reply. */
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

/** Returns a call that must fail with the given status. */
export const refusedCall = (
  title: string,
  who: Participant,
  row: Operation,
  sent: Sent,
  status: number,
): HonestCall => ({ title, who, row, sent, status, check: () => {} });
