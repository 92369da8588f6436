import { ApiError, invalidParameter } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { type Attachment, emptyTextRule } from '../../../contract/resources/message.ts';
import { messageLimits } from '../../../contract/resources/message-limits.ts';
import { type MessageItem, serializeAttachments } from '../log/message-item.ts';

export interface MessageChange {
  message?: string | undefined;
  attachments?: Attachment[] | undefined;
  /** Requested reactors by reaction name, as far as the caller may decide. */
  reactions: ReadonlyMap<string, readonly string[]>;
}

export interface ChangePlan {
  message?: string | undefined;
  attachments?: Attachment[] | undefined;
  /** Reactions that the caller adds and removes, without those already present or absent. */
  add: string[];
  remove: string[];
  reactionCount?: number;
  conditions: string[];
  values: Record<string, unknown>;
}

/** DynamoDB accepts 300 operators per expression, and each name takes three. */
const maxNamesWithoutReading = 50;

/** Reports whether a plan needs no read. Other reactors may be contacts or a username. */
export const canPlanWithoutReading = (
  { message, attachments, reactions }: MessageChange,
  caller: Caller,
): boolean =>
  (message !== undefined || attachments !== undefined || reactions.size > 0) &&
  reactions.size <= maxNamesWithoutReading &&
  [...reactions.values()].flat().every((reactor) => reactor === caller.id);

/**
 * Plans a plain change of a message that was not read, on conditions: the caller sent it, a given
 * text or attachments differ, one of the two remains, the reactions to remove exist, and there is
 * room.
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
      ...toContentConditions(message, attachments),
      ...(reactions.size > 0 ? ['reaction_count <= :room'] : []),
      ...(add.length > 0 ? ['size(reactions) <= :names'] : []),
    ],
    values: {
      ...(message === undefined && attachments?.length === 0 && { ':noText': '' }),
      ...(reactions.size > 0 && { ':room': messageLimits.reactions - add.length + remove.length }),
      ...(add.length > 0 && { ':names': messageLimits.reactionNames - add.length }),
    },
  };
}

/** A missing attribute differs from any value. */
const toAttachmentsCondition = (attachments: Attachment[]) =>
  attachments.length > 0 ? 'attachments <> :attachments' : 'attribute_exists(attachments)';

/** Returns conditions that the message has text or attachments after the change. */
function toContentConditions(message: string | undefined, attachments: Attachment[] | undefined) {
  if (message === undefined) return attachments?.length === 0 ? ['message <> :noText'] : [];
  return message === '' && attachments === undefined ? ['attribute_exists(attachments)'] : [];
}

/** Plans a change of a message that was read; `undefined` if nothing changes. */
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
      message: 'Only the sender can change the text or the attachments of a message.',
    });
  }
  if (isEdit) requireContent(known, change);
  const { add, remove, reactionCount } = planReactions(known, change, caller);
  if (!isEdit && add.length + remove.length === 0) return undefined;
  const conditions = ['version = :version'];
  const values = { ':version': known.version };
  return { message, attachments, add, remove, reactionCount, conditions, values };
}

function requireContent(known: MessageItem, { message, attachments }: MessageChange): void {
  const hasAttachments = attachments ? attachments.length > 0 : known.attachments !== undefined;
  if ((message ?? known.message) !== '' || hasAttachments) return;
  if (message === '') throw invalidParameter('message', emptyTextRule);
  throw invalidParameter('attachments', 'must not be empty without a text');
}

function planReactions(message: MessageItem, { reactions }: MessageChange, caller: Caller) {
  // A map: objects inherit names such as `toString`, which are valid reaction names.
  const existing = new Map(Object.entries(message.reactions));
  const add: string[] = [];
  const remove: string[] = [];
  for (const [name, reactors] of reactions) {
    const present = existing.get(name) ?? new Set();
    const isCaller = (reactor: string) =>
      reactor === caller.id || (reactor === caller.username && !present.has(reactor));
    if (reactors.some((reactor) => !isCaller(reactor) && !present.has(reactor))) {
      throw new ApiError('not_allowed', {
        message: `You can only react for yourself: '${name}' names a contact who has not reacted.`,
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
    throw invalidParameter('reactions', `must leave at most ${reactionNames} names on a message`);
  }
  const before = [...existing.values()].reduce((sum, { size }) => sum + size, 0);
  const reactionCount = before + add.length - remove.length;
  if (add.length > 0 && reactionCount > maxReactions) {
    throw new ApiError('reactions_full', { param: 'reactions' });
  }
  return { add, remove, reactionCount };
}
