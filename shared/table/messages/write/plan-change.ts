import { ApiError, invalidParameter } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { type Attachment, emptyTextRule } from '../../../contract/resources/message.ts';
import { messageLimits } from '../../../contract/schema/message-limits.ts';
import { getUploadId, getUploadIds } from '../../attachments/take-uploads.ts';
import {
  type ContentAttributes,
  contentAttributeNames,
  maxInlineBytes,
} from '../log/content-item.ts';
import {
  countContentBytes,
  type MessageWithContent,
  parseAttachments,
  type StoredContent,
  serializeAttachments,
} from '../log/message-item.ts';

export interface MessageChange {
  message?: string | undefined;
  attachments?: Attachment[] | undefined;
  /** Requested reactors by reaction name. Only the caller's own reactions may change. */
  reactions: ReadonlyMap<string, readonly string[]>;
}

export interface ChangePlan {
  content?: ContentUpdate | undefined;
  /** Names of the reactions that the caller adds. */
  add: string[];
  /** Names of the reactions that the caller removes. */
  remove: string[];
  reactionCount?: number;
  conditions: string[];
  values: Record<string, unknown>;
}

export interface ContentUpdate {
  set: ContentAttributes;
  remove: string[];
}

/** Returns the update that sets the given content attributes and removes all others. */
export const toContentUpdate = (set: ContentAttributes): ContentUpdate => ({
  set,
  remove: contentAttributeNames.filter((name) => set[name] === undefined),
});

/** Maximum number of reaction names. Each name uses three of an expression's 300 operators. */
const maxNamesWithoutReading = 50;

/**
 * Reports whether a change can be planned without reading the message. A change requires a read if
 * it is empty, or has large content, uploads, more than 50 reaction names, or reactors other than
 * the caller.
 */
export const canPlanWithoutReading = (
  { message, attachments, reactions }: MessageChange,
  caller: Caller,
): boolean =>
  (message !== undefined || attachments !== undefined || reactions.size > 0) &&
  countContentBytes(toStoredParts({ message, attachments })) <= maxInlineBytes &&
  getUploadIds(attachments ?? []).length === 0 &&
  reactions.size <= maxNamesWithoutReading &&
  [...reactions.values()].flat().every((reactor) => reactor === caller.id);

const toStoredParts = ({
  message,
  attachments,
}: Pick<MessageChange, 'message' | 'attachments'>) => ({
  ...(message !== undefined && { message }),
  ...(attachments && { attachments: serializeAttachments(attachments) }),
});

/**
 * Plans a change to a message without reading it. An edit requires that the caller sent the message
 * and that the content is in the log entry. The edit must change the content, and the edited
 * message must contain text or attachments. Editing attachments also requires that the message has
 * no uploads. Reactions require that the message has room for them. `toUpdateExpression` adds
 * conditions per reaction.
 */
export function planWithoutReading({ message, attachments, reactions }: MessageChange): ChangePlan {
  const add = [...reactions].flatMap(([name, reactors]) => (reactors.length > 0 ? [name] : []));
  const remove = [...reactions.keys()].filter((name) => !add.includes(name));
  const changes = [
    ...(message === undefined ? [] : ['message <> :message']),
    ...(attachments === undefined ? [] : [toAttachmentsCondition(attachments)]),
  ];
  const isInline = 'attribute_not_exists(content_id)';
  const set = toStoredParts({ message, attachments });
  return {
    ...(changes.length > 0 && {
      content: { set, remove: attachments?.length === 0 ? ['attachments'] : [] },
    }),
    add,
    remove,
    conditions: [
      ...(changes.length > 0 ? ['sent_by = :caller', isInline, `(${changes.join(' OR ')})`] : []),
      ...(attachments ? ['attribute_not_exists(attachment_ids)'] : []),
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

/**
 * Returns the condition that the attachments differ. A missing attribute differs from any value.
 */
const toAttachmentsCondition = (attachments: Attachment[]) =>
  attachments.length > 0 ? 'attachments <> :attachments' : 'attribute_exists(attachments)';

/**
 * Returns the condition that text or attachments remain after the change; an empty array if the
 * change needs no condition.
 */
function toContentConditions(message: string | undefined, attachments: Attachment[] | undefined) {
  if (message === undefined) return attachments?.length === 0 ? ['message <> :noText'] : [];
  return message === '' && attachments === undefined ? ['attribute_exists(attachments)'] : [];
}

/**
 * Plans a change to a message already loaded from the table; `undefined` if nothing changes. Throws
 * `not_allowed`, `parameter_invalid` or `reactions_full`.
 */
export function planChange(
  known: MessageWithContent,
  change: MessageChange,
  caller: Caller,
): (ChangePlan & { newContent: StoredContent | undefined }) | undefined {
  const { message, attachments } = { ...known, ...toStoredParts(withUploads(change, known)) };
  const isEdit = message !== known.message || attachments !== known.attachments;
  if (isEdit && known.sent_by !== caller.id) {
    throw new ApiError('not_allowed', {
      message: 'Only the sender can change the text or the attachments of a message.',
    });
  }
  if (isEdit && message === '' && attachments === undefined) throw toEmptyError(change);
  const { add, remove, reactionCount } = planReactions(known, change, caller);
  if (!isEdit && add.length + remove.length === 0) return undefined;
  const conditions = ['version = :version'];
  const values = { ':version': known.version };
  const newContent = isEdit ? { message, attachments } : undefined;
  return { newContent, add, remove, reactionCount, conditions, values };
}

/**
 * Returns the change, with each upload replaced by its stored attachment. Throws
 * `parameter_invalid` if the change adds or removes an upload.
 */
function withUploads(change: MessageChange, known: MessageWithContent): MessageChange {
  if (!change.attachments) return change;
  const uploads = new Map(parseAttachments(known).map((one) => [getUploadId(one), one]));
  uploads.delete(undefined);
  const ids = getUploadIds(change.attachments);
  if (known.attachment_ids !== undefined || ids.length > 0) requireSameUploads(ids, uploads);
  const attachments = change.attachments.map((one) => uploads.get(getUploadId(one)) ?? one);
  return { ...change, attachments };
}

function requireSameUploads(ids: readonly string[], uploads: ReadonlyMap<unknown, unknown>) {
  if (ids.length === uploads.size && new Set(ids).size === ids.length) {
    if (ids.every((id) => uploads.has(id))) return;
  }
  throw invalidParameter(
    'attachments',
    'must contain each upload of the message once and no other uploads: to remove an upload, delete the message',
  );
}

const toEmptyError = ({ message }: MessageChange): ApiError =>
  message === undefined
    ? invalidParameter('attachments', 'must not be empty if the message has no text')
    : invalidParameter('message', emptyTextRule);

function planReactions(message: MessageWithContent, { reactions }: MessageChange, caller: Caller) {
  // This is a map because objects inherit names such as `toString`, which are valid reactions.
  const existing = new Map(Object.entries(message.reactions));
  const add: string[] = [];
  const remove: string[] = [];
  for (const [name, reactors] of reactions) {
    const present = existing.get(name) ?? new Set();
    const isCaller = (reactor: string) =>
      reactor === caller.id || (reactor === caller.username && !present.has(reactor));
    if (reactors.some((reactor) => !isCaller(reactor) && !present.has(reactor))) {
      throw new ApiError('not_allowed', {
        message: `You can only react for yourself: the list of '${name}' contains a contact who has not reacted.`,
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
    throw invalidParameter(
      'reactions',
      `must leave at most ${reactionNames} reaction names on the message`,
    );
  }
  const before = [...existing.values()].reduce((sum, { size }) => sum + size, 0);
  const reactionCount = before + add.length - remove.length;
  if (add.length > 0 && reactionCount > maxReactions) {
    throw new ApiError('reactions_full', { param: 'reactions' });
  }
  return { add, remove, reactionCount };
}
