import { getItems } from '../calls/access.ts';
import { messageKey } from '../keys/keys.ts';
import { emptyAround, type LogEntry, toLogEntry } from './items.ts';

/** Places of a log that were read on the way in one direction, in its order. */
interface Way {
  conversationId: string;
  direction: 'older' | 'newer';
  /** Those read last: markers only. */
  page: LogEntry[];
  /** All of them. */
  entries: LogEntry[];
  /** Ends that were asked before. */
  asked: readonly number[];
}

/**
 * A run of empty places grows while messages are deleted, and a marker within it tells of it as it was when it ended there.
 * Its ends know what has become of it: so the one behind the reader is asked for the one ahead. Gives the place that was
 * asked, and the last of the markers with what it has learnt by that; undefined where nothing is to be learnt.
 */
export async function askEnd({
  conversationId,
  direction,
  page,
  entries,
  asked,
}: Way): Promise<{ end: number; marker: LogEntry } | undefined> {
  const last = page.at(-1);
  if (!last) return undefined;
  const around = page.flatMap((entry) => emptyAround(entry) ?? []);
  const places = entries.map(({ sequence }) => sequence);
  const [end, isBehind] =
    direction === 'older'
      ? [Math.max(...around.map(({ to }) => to)), (end: number) => end > Math.max(...places)]
      : [Math.min(...around.map(({ from }) => from)), (end: number) => end < Math.min(...places)];
  if (!isBehind(end) || asked.includes(end)) return undefined;
  // What a marker tells stays true: a replica's word is enough.
  const [item] = await getItems([messageKey(conversationId, end)], { consistent: false });
  const known = item && emptyAround(toLogEntry(item));
  const isAround = known && known.from <= last.sequence && known.to >= last.sequence;
  return {
    end,
    marker: isAround ? { ...last, empty_from: known.from, empty_to: known.to } : last,
  };
}
