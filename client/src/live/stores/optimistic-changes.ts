import type { Message, ReactionChange, Reactions, UpdateMessage } from '../../generated/types.ts';

/** A change that is shown before the API has confirmed it. */
export interface OptimisticChange {
  readonly messageId: string;
  /** Returns the changed message; null for a deletion. */
  apply(message: Message): Message | null;
}

/**
 * Changes in progress. After a change is removed, the app shows the message that the API confirmed.
 */
export type OptimisticChanges = Set<OptimisticChange>;

/** Returns the message with all changes in progress; null if a change deletes the message. */
export const withChanges = (changes: OptimisticChanges, message: Message): Message | null =>
  [...changes]
    .filter(({ messageId }) => messageId === message.id)
    .reduce<Message | null>((changed, change) => changed && change.apply(changed), message);

/** Returns the message as the API would return it after the user's update. */
export function withUpdate(
  message: Message,
  { message: text, reactions, attachments }: UpdateMessage,
  userId: string | undefined,
): Message {
  return {
    ...message,
    message: text ?? message.message,
    ...(attachments !== undefined && { attachments: attachments ?? [] }),
    ...(reactions && { reactions: withReactions(message.reactions, reactions, userId) }),
  };
}

/**
 * Adds the user to each reaction in `change` that lists the user's id, and removes the user from
 * the other reactions in `change`.
 */
function withReactions(
  reactions: Reactions,
  change: ReactionChange,
  userId: string | undefined,
): Reactions {
  const users = new Map(reactions.flatMap((one) => Object.entries(one)));
  for (const [name, listed] of [change].flat().flatMap((one) => Object.entries(one))) {
    const others = (users.get(name) ?? []).filter((id) => id !== userId);
    const next = userId !== undefined && listed.includes(userId) ? [...others, userId] : others;
    if (next.length > 0) users.set(name, next);
    else users.delete(name);
  }
  return Array.from(users, ([name, ids]) => ({ [name]: ids }));
}
