import { purgeWritesPerSecond } from '../shared/function-limits.ts';
import { serveRecords } from '../shared/stream/serve-records.ts';
import { purgeConversation } from '../shared/table/conversations/purge.ts';
import { conversationIdOf } from '../shared/table/keys/keys.ts';
import { deletionAttribute } from '../shared/table/keys/names.ts';

const { ofOnePartition, ofTheTable } = purgeWritesPerSecond;
const worker = { name: 'purge', waitingSince: deletionAttribute };

/** Woken by deleted conversations: empties their partitions. */
export const handler = serveRecords(worker, async (key, { items, until }) => {
  const id = conversationIdOf(key);
  if (id === undefined) return 'ignored';
  return purgeConversation(id, { until, rate: Math.min(ofOnePartition, ofTheTable / items) });
});
