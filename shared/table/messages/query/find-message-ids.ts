import * as v from 'valibot';
import { lookUpItems } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { tableKey } from '../../keys/names.ts';
import { getNewestMessage } from '../log/read-log.ts';

const Identified = v.object({ id: v.string() });
const attributes = [tableKey.partition, tableKey.sort, 'id'];

/**
 * Returns a lookup of the newest message with at most a sequence number, by that number. Makes one
 * call for all numbers, and a read of the log for each that holds no message and lies above the
 * message found before.
 */
export async function findMessageIds(
  conversationId: string,
  sequences: readonly number[],
): Promise<(sequence: number) => string | undefined> {
  const toKey = (sequence: number) => messageKey(conversationId, sequence);
  const descending = [...new Set(sequences)].sort((a, b) => b - a);
  const findItem = await lookUpItems(descending.map(toKey), { consistent: false, attributes });
  const ids = new Map<number, string | undefined>();
  let below: { sequence: number; id: string | undefined } | undefined;
  for (const sequence of descending) {
    const item = findItem(toKey(sequence));
    if (v.is(Identified, item)) ids.set(sequence, item.id);
    else {
      if (!below || sequence < below.sequence) {
        const newest = await getNewestMessage(conversationId, sequence);
        below = { sequence: newest?.sequence ?? 0, id: newest?.id };
      }
      ids.set(sequence, below.id);
    }
  }
  return (sequence) => ids.get(sequence);
}
