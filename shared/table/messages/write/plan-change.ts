import type { Caller } from '../../../caller.ts';
import type { Attachment } from '../../../contract/message.ts';
import { messageLimits } from '../../../contract/message-limits.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { type MessageItem, serializeAttachments } from '../log/message-item.ts';

/** What somebody asks of a message; what is absent stays. */
export interface MessageChange {
  message?: string | undefined;
  attachments?: Attachment[] | undefined;
  /** By the reaction's name, who is to have reacted so, as far as it is the caller's to say. */
  reactions: ReadonlyMap<string, readonly string[]>;
}

/** What to write, and what must hold of the message for it to be right. */
export interface ChangePlan {
  message?: string | undefined;
  attachments?: Attachment[] | undefined;
  /** Names of the reactions that become the caller's, and that cease to be: none that already are, or are not. */
  add: string[];
  remove: string[];
  /** How many reactions there are then; unknown as long as the message has not been read. */
  reactionCount?: number;
  conditions: string[];
  values: Record<string, unknown>;
}

/** The table takes three hundred operators in an expression, and three tell that somebody has reacted by a name or not. */
const maxNamesWithoutReading = 50;

/**
 * Whether the change can be told without knowing the message: reactors may be other people, or go by a username; and what
 * asks for nothing is no change.
 */
export const canPlanWithoutReading = (
  { message, attachments, reactions }: MessageChange,
  caller: Caller,
): boolean =>
  (message !== undefined || attachments !== undefined || reactions.size > 0) &&
  reactions.size <= maxNamesWithoutReading &&
  [...reactions.values()].flat().every((reactor) => reactor === caller.id);

/**
 * The plan of a plain change for a message that has not been read. It holds if the caller sent it and text or
 * attachments really change, where such are given, and if the caller has just the reactions that are to go and there is
 * room for those that are to come.
 */
export function planWithoutReading({ message, attachments, reactions }: MessageChange): ChangePlan {
  const add = [...reactions].flatMap(([name, reactors]) => (reactors.length > 0 ? [name] : []));
  const remove = [...reactions.keys()].filter((name) => !add.includes(name));
  const changes = [
    ...(message === undefined ? [] : ['message <> :message']),
    ...(attachments === undefined ? [] : [toAttachmentsCondition(attachments)]),
  ];
  return {
    message,
    attachments,
    add,
    remove,
    conditions: [
      ...(changes.length > 0 ? ['sent_by = :caller', `(${changes.join(' OR ')})`] : []),
      ...(reactions.size > 0 ? ['reaction_count <= :room'] : []),
      ...(add.length > 0 ? ['size(reactions) <= :names'] : []),
    ],
    values: {
      ...(reactions.size > 0 && { ':room': messageLimits.reactions - add.length + remove.length }),
      ...(add.length > 0 && { ':names': messageLimits.reactionNames - add.length }),
    },
  };
}

/** An attribute that is not there differs from whatever is. */
const toAttachmentsCondition = (attachments: Attachment[]) =>
  attachments.length > 0 ? 'attachments <> :attachments' : 'attribute_exists(attachments)';

/**
 * The plan for a message as it is, on condition that it still is; undefined when nothing changes. Throws `not_allowed`
 * for what is not the caller's to change, `parameter_invalid` for too many names of reactions, and `reactions_full`.
 */
export function planChange(
  known: MessageItem,
  change: MessageChange,
  caller: Caller,
): ChangePlan | undefined {
  const message = change.message === known.message ? undefined : change.message;
  const sameAttachments =
    change.attachments && serializeAttachments(change.attachments) === known.attachments;
  const attachments = sameAttachments ? undefined : change.attachments;
  const isEdit = message !== undefined || attachments !== undefined;
  if (isEdit && known.sent_by !== caller.id) {
    throw new ApiError('not_allowed', {
      message: 'Only its sender can change the text or the attachments of a message.',
    });
  }
  const { add, remove, reactionCount } = planReactions(known, change, caller);
  if (!isEdit && add.length + remove.length === 0) return undefined;
  const conditions = ['version = :version'];
  const values = { ':version': known.version };
  return { message, attachments, add, remove, reactionCount, conditions, values };
}

function planReactions(message: MessageItem, { reactions }: MessageChange, caller: Caller) {
  // A map: an object has names by birth, such as `toString`, that may be a reaction's too.
  const existing = new Map(Object.entries(message.reactions));
  const add: string[] = [];
  const remove: string[] = [];
  for (const [name, reactors] of reactions) {
    const present = existing.get(name) ?? new Set();
    const isCaller = (reactor: string) =>
      reactor === caller.id || (reactor === caller.username && !present.has(reactor));
    if (reactors.some((reactor) => !isCaller(reactor) && !present.has(reactor))) {
      throw new ApiError('not_allowed', {
        message: `Nobody can react for somebody else: '${name}' names a contact who has not.`,
        param: 'reactions',
      });
    }
    const wanted = reactors.some(isCaller);
    if (wanted && !present.has(caller.id)) add.push(name);
    if (!wanted && present.has(caller.id)) remove.push(name);
  }
  const emptiedNames = remove.filter((name) => existing.get(name)?.size === 1).length;
  const newNames = add.filter((name) => !existing.has(name)).length;
  const { reactionNames, reactions: maxReactions } = messageLimits;
  if (existing.size - emptiedNames + newNames > reactionNames) {
    throw invalid('reactions', `must leave at most ${reactionNames} names on a message`);
  }
  const before = [...existing.values()].reduce((sum, { size }) => sum + size, 0);
  const reactionCount = before + add.length - remove.length;
  if (add.length > 0 && reactionCount > maxReactions) {
    throw new ApiError('reactions_full', { param: 'reactions' });
  }
  return { add, remove, reactionCount };
}
