import type { Message } from '../../../../client/src/index.ts';
import { formatDay } from '../../parts/format.ts';

const maxGapSeconds = 5 * 60;

/** Consecutive messages from one sender on one day, each soon after the previous one. */
export interface MessageGroup {
  readonly key: string;
  /** Name of the day; null if the previous group is from the same day. */
  readonly day: string | null;
  /** Oldest first. */
  readonly messages: readonly Message[];
}

/**
 * Groups messages by sender, day and time gap. Takes messages newest first, and returns groups
 * oldest first.
 */
export function groupMessages(messages: readonly Message[]): MessageGroup[] {
  const groups: { key: string; day: string | null; messages: Message[] }[] = [];
  let last: Message | undefined;
  for (const message of messages.toReversed()) {
    const isNewDay =
      last === undefined || formatDay(last.created_at) !== formatDay(message.created_at);
    const isTogether =
      last?.contact.id === message.contact.id &&
      message.created_at - last.created_at < maxGapSeconds;
    const group = groups.at(-1);
    if (group && isTogether && !isNewDay) group.messages.push(message);
    else {
      const name = isNewDay ? formatDay(message.created_at) : null;
      groups.push({ key: message.id, day: name, messages: [message] });
    }
    last = message;
  }
  return groups;
}
