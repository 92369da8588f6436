import { putNew } from '../../calls/access.ts';
import { messageKey } from '../../keys/keys.ts';
import { type LogEntry, type MessageTombstone, toLogEntry } from './message-item.ts';

/**
 * Decides that a place holds no message, unless one is there already; gives what it holds then. `previousAt` is when the
 * place before it was given out, or later (milliseconds).
 */
export async function fillGap(
  conversationId: string,
  sequence: number,
  previousAt: number,
): Promise<LogEntry> {
  const tombstone: MessageTombstone = { sequence, previous_at: previousAt };
  const put = await putNew({ ...messageKey(conversationId, sequence), ...tombstone });
  return put.done || !put.found ? tombstone : toLogEntry(put.found);
}
