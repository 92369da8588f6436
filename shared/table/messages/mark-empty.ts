import { putNew } from '../calls/access.ts';
import { messageKey } from '../keys/keys.ts';
import { type LogEntry, type Marker, toLogEntry } from './items.ts';

/**
 * Decides that a place holds no message, unless one is there already; gives what it holds then. `previousAt` is when the
 * place before it was given out, or later (milliseconds).
 */
export async function markEmpty(
  conversationId: string,
  sequence: number,
  previousAt: number,
): Promise<LogEntry> {
  const marker: Marker = { sequence, previous_at: previousAt };
  const put = await putNew({ ...messageKey(conversationId, sequence), ...marker });
  return put.done || !put.found ? marker : toLogEntry(put.found);
}
