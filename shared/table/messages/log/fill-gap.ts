import { putNew } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { type LogEntry, type MessageTombstone, toLogEntry } from './message-item.ts';

/** Writes a tombstone into a gap, unless an entry exists, and returns the entry. */
export async function fillGap(
  conversationId: string,
  sequence: number,
  previousAt: number,
): Promise<LogEntry> {
  const tombstone: MessageTombstone = { sequence, previous_at: previousAt };
  const put = await putNew({ ...messageKey(conversationId, sequence), ...tombstone });
  return put.done || !put.found ? tombstone : toLogEntry(put.found);
}
