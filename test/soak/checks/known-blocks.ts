import * as v from 'valibot';
import type { Exchange, Span } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import { getPossibleWrites } from '../model/register.ts';

export interface Pair {
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
  knownSince?: number;
}

const BlockRefusal = v.object({ code: v.picklist(['blocked', 'blocking']) });

export const isBlockRefusal = ({ reply }: Exchange): boolean =>
  reply.status === 403 && v.is(BlockRefusal, reply.body);

function getRegisters({ blocks }: Model, { created_by, contact_id, group_id }: Pair) {
  if (group_id !== null || contact_id === null) return [];
  const registers = [
    blocks.get(created_by)?.get(contact_id),
    blocks.get(contact_id)?.get(created_by),
  ];
  return registers.filter((register) => register !== undefined);
}

/** Reports whether either contact has ever requested to block or unblock the other. */
export const wasEverBlocked = (model: Model, pair: Pair): boolean =>
  getRegisters(model, pair).length > 0;

export const mayBeBlocked = (model: Model, pair: Pair, span: Span): boolean =>
  getRegisters(model, pair).some((register) =>
    getPossibleWrites(register, span).some(({ value }) => value),
  );

/**
 * Reports whether a block certainly applied throughout the span. A block applies only to
 * conversations that existed before it.
 */
export const isCertainlyBlocked = (model: Model, pair: Pair, span: Span): boolean =>
  getRegisters(model, pair).some((register) => {
    const writes = getPossibleWrites(register, span);
    const { knownSince = 0 } = pair;
    return (
      writes.every(({ value }) => value) &&
      writes.some(({ startOrder, ended }) => startOrder > knownSince && ended < span.startOrder)
    );
  });
