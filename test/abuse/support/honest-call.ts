import type * as v from 'valibot';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { Sent } from '../../acceptance/support/api.ts';
import type { Participant } from './abuse-run.ts';

export interface HonestCall {
  title: string;
  participant: Participant;
  row: Operation;
  sent: Sent;
  /** Expected status. Default: the operation's success status. */
  status: number;
  /** Throws if the reply's body is wrong. */
  check(body: unknown): void;
}

/** Returns a call that must succeed. `check` checks the parsed reply. */
export function honestCall<Row extends Operation>(
  title: string,
  participant: Participant,
  row: Row,
  sent: Sent,
  check?: (body: v.InferOutput<Row['reply']>) => void,
): HonestCall;
export function honestCall(
  title: string,
  participant: Participant,
  row: Operation,
  sent: Sent,
  check: (body: unknown) => void = () => {},
): HonestCall {
  return { title, participant, row, sent, status: row.status, check };
}

export const refusedCall = (
  title: string,
  participant: Participant,
  row: Operation,
  sent: Sent,
  status: number,
): HonestCall => ({ title, participant, row, sent, status, check: () => {} });
