import { queryPage } from './access.ts';
import { decideHoles } from './decide-holes.ts';
import { lastSequence, messageKey } from './keys.ts';
import { isMessage, type LogEntry, type MessageItem, toLogEntry } from './message-items.ts';

export interface LogRange {
  conversationId: string;
  /** `older` reads towards the first message, `newer` towards the last. */
  direction: 'older' | 'newer';
  /** The place to start from, itself not given; without it, from the log's end. */
  from?: number | undefined;
  /** How many messages are wanted. */
  count: number;
}

/** Where markers lie thick, further pages are read in larger steps. */
const furtherPage = 200;

/** A stretch of the log as it was read. */
export interface Stretch {
  range: LogRange;
  entries: LogEntry[];
  /** The log ends here in the direction of travel. */
  ended: boolean;
}

/**
 * Up to `count` messages of the stretch, in the direction of travel, fewer only where the log ends. What is given is
 * complete: no later reading shows a message between two of them. Undecided places are decided on the way, so this is
 * for those who take part in the conversation.
 */
export async function messagesOf({ range, entries, ended }: Stretch): Promise<MessageItem[]> {
  const decided = await decideHoles(range.conversationId, entries, floorOf(range, entries, ended));
  const older = range.direction === 'older';
  return decided
    .filter(isMessage)
    .filter(({ sequence }) => sequence !== range.from)
    .sort((a, b) => (older ? b.sequence - a.sequence : a.sequence - b.sequence))
    .slice(0, range.count);
}

/** The place below which nothing was read: a hole right above it counts too. */
function floorOf({ direction, from = 0 }: LogRange, entries: LogEntry[], ended: boolean): number {
  if (direction === 'newer') return from;
  return ended ? 0 : Math.min(...entries.map(({ sequence }) => sequence));
}

/** Reads a stretch of `count` messages, and of whatever markers lie between. */
export async function readLog(range: LogRange): Promise<Stretch> {
  const { conversationId, direction, from, count } = range;
  const older = direction === 'older';
  const { pk, sk: low } = messageKey(conversationId, older ? 0 : (from ?? 0));
  const { sk: high } = messageKey(conversationId, older ? (from ?? lastSequence) : lastSequence);
  const entries: LogEntry[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
      ConsistentRead: true,
      ScanIndexForward: !older,
      // The item at `from` is read too: it tells whether a hole next to it may still be filled.
      Limit: start ? furtherPage : count + (from === undefined ? 0 : 1),
      ExclusiveStartKey: start,
    });
    entries.push(...page.items.map(toLogEntry));
    start = page.next;
  } while (
    start &&
    entries.filter((one) => isMessage(one) && one.sequence !== from).length < count
  );
  return { range, entries, ended: start === undefined };
}
