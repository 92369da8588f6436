import * as v from 'valibot';
import type { MessagePosition } from '../../../ids.ts';
import { lookUpItems } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { getNewestMessage } from '../log/read-log.ts';

const Identified = v.object({ id: v.string() });

type LogPosition = Pick<MessagePosition, 'conversationId' | 'sequence'>;

const attributes = [tableKey.partition, tableKey.sort, 'id'];

/**
 * Returns a function that returns the id of the newest message at or below a sequence number in a
 * conversation. Makes one call per 100 positions, and one log read for each range without a
 * message.
 */
export async function findMessageIds(
  positions: readonly LogPosition[],
): Promise<(position: LogPosition) => string | undefined> {
  const toKey = ({ conversationId, sequence }: LogPosition) => messageKey(conversationId, sequence);
  const findItem = await lookUpItems(positions.map(toKey), { consistent: false, attributes });
  const ids = new Map<string, string | undefined>();
  const findIds = async (positions: readonly LogPosition[]) => {
    let below: { sequence: number; id: string | undefined } | undefined;
    for (const position of positions.toSorted((a, b) => b.sequence - a.sequence)) {
      const item = findItem(toKey(position));
      if (v.is(Identified, item)) ids.set(toText(position), item.id);
      else {
        if (!below || position.sequence < below.sequence) {
          const newest = await getNewestMessage(position.conversationId, position.sequence);
          below = { sequence: newest?.sequence ?? 0, id: newest?.id };
        }
        ids.set(toText(position), below.id);
      }
    }
  };
  const byConversation = Map.groupBy(positions, ({ conversationId }) => conversationId);
  await Promise.all(Array.from(byConversation.values(), findIds));
  return (position) => ids.get(toText(position));
}

const toText = ({ conversationId, sequence }: LogPosition) => `${conversationId} ${sequence}`;
