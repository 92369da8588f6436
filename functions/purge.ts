import { serveRecords } from '../shared/stream/serve-records.ts';
import { purgeConversation } from '../shared/table/conversations/purge.ts';
import { conversationIdOf } from '../shared/table/keys/keys.ts';
import { deletionAttribute } from '../shared/table/keys/names.ts';

/**
 * Write units a second. A partition of the table takes a thousand, so a purge leaves more than half of them to whoever
 * else is in it; and of all that the table takes, many purges at once have a bounded part.
 */
const forOne = 400;
const forAll = 2000;

const worker = { name: 'purge', waitingSince: deletionAttribute };

/** Woken by deleted conversations: empties their partitions. */
export const handler = serveRecords(worker, async (key, { items, until }) => {
  const id = conversationIdOf(key);
  if (id === undefined) return 'ignored';
  return purgeConversation(id, { until, rate: Math.min(forOne, forAll / items) });
});
