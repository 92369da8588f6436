import { parseMessageId } from '../../../shared/ids.ts';
import { findFeedItemFault } from '../../support/table/check-feed-items.ts';
import { hasNoDeletion, isDeleted, type Model } from '../model/model.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { getPossibleMembership } from '../model/user-groups.ts';
import { conversationIdOf, type Item } from './read-table.ts';

/** Attributes that a tombstone may have. Any other attribute is content of the message. */
const tombstoneAttributes = [
  'pk',
  'sk',
  'sequence',
  'previous_at',
  'deletion',
  'deleted_at',
  'empty_from',
  'empty_to',
  // Present until the purge removes the files. `countUnpurged` checks the removal.
  'attachment_ids',
];

export const isContent = (sk: unknown): boolean => String(sk).startsWith('MESSAGE_CONTENT#');

/** Reports whether the item belongs to a deleted conversation. The purge must still remove it. */
export const isUnpurged = (model: Model, item: Item): boolean => {
  const conversation = model.conversations.get(
    conversationIdOf(item) ?? getDistinctConversation(item) ?? '',
  );
  return conversation !== undefined && isDeleted(conversation, model.now);
};

/** Returns the conversation id if the item records a pair's distinct conversation. */
const getDistinctConversation = ({ pk, sk, conversation_id }: Item): string | undefined =>
  /^PAIR#/.test(String(pk)) && sk === 'DISTINCT' ? String(conversation_id) : undefined;

/**
 * Returns why an item belongs to no resource. Ignores items of deleted conversations, which
 * `countUnpurged` counts.
 */
export function findStrayReason(
  model: Model,
  people: ReadonlySet<string>,
  item: Item,
): string | undefined {
  const sk = String(item.sk);
  const isSearchEntry = /^BUSINESS_/.test(String(item.pk));
  const business = isSearchEntry ? sk.split('#').at(-1) : /^BUSINESS#(.*)$/.exec(sk)?.[1];
  if (business !== undefined) return findStrayBusinessReason(model, business);
  if (/^FEED#/.test(String(item.pk))) return findFeedItemFault(item);
  const contact = /^CONTACT#(.*)$/.exec(String(item.pk))?.[1];
  if (contact !== undefined) return findStrayContactReason(model, people, contact, item);
  const group = /^GROUP#(.*)$/.exec(String(item.pk))?.[1];
  if (group !== undefined && sk === 'GROUP')
    return isKnownGroup(model, group) ? undefined : 'no reply contained the group';
  if (sk === 'BLOCKS' || sk === 'HEAD' || /^UPLOADS#/.test(String(item.pk))) return undefined;
  const distinctId = getDistinctConversation(item);
  if (distinctId !== undefined) return findStrayDistinctReason(model, distinctId);
  const conversation = model.conversations.get(conversationIdOf(item) ?? '');
  if (!conversation) return 'its conversation is unknown';
  if (!hasNoDeletion(conversation) || sk === 'CONVERSATION' || isContent(sk)) return undefined;
  // check-files.ts compares attachments with the bucket.
  if (sk.startsWith('ATTACHMENT#')) return undefined;
  const owner = /^SETTINGS#(.*)$/.exec(sk)?.[1];
  if (owner !== undefined) return people.has(owner) ? undefined : 'its contact is unknown';
  return sk.startsWith('MESSAGE#')
    ? findStrayMessageReason(model, conversation, item)
    : 'no item type has this key';
}

const findStrayBusinessReason = ({ businesses }: Model, id: string): string | undefined =>
  businesses.some(({ public_id }) => public_id === id) ? undefined : 'it was not imported';

const findStrayDistinctReason = ({ conversations }: Model, id: string): string | undefined =>
  conversations.get(id)?.group_id === null ? undefined : 'it has no direct conversation';

function findStrayMessageReason(
  model: Model,
  conversation: ConversationModel,
  item: Item,
): string | undefined {
  if (!('id' in item)) {
    const content = Object.keys(item).filter((name) => !tombstoneAttributes.includes(name));
    return content.length > 0 ? `a tombstone still has ${content.join(', ')}` : undefined;
  }
  const message = model.messages.get(String(item.id));
  if (!message || message.conversation !== conversation) return 'no reply contained it';
  if (isDeleted(message, model.now)) return 'it was deleted';
  const sequence = parseMessageId(message.id)?.sequence;
  return Number(/\d+$/.exec(String(item.sk))?.[0]) === sequence
    ? undefined
    : 'its sort key is wrong';
}

function findStrayContactReason(
  model: Model,
  people: ReadonlySet<string>,
  contact: string,
  item: Item,
): string | undefined {
  const { sk, made } = item;
  if (!people.has(contact)) return 'its contact is unknown';
  if (sk === 'CONTACT' || sk === 'MEMBERSHIPS' || /^REPORT#/.test(String(sk))) return undefined;
  const group = /^MEMBERSHIP#(.*)$/.exec(String(sk))?.[1];
  if (group !== undefined) return findStrayMembershipReason(model, contact, item, group);
  const blocked = /^BLOCK#\d+#(.*)$/.exec(String(sk))?.[1];
  if (blocked !== undefined)
    return model.blocks.get(contact)?.has(blocked) ? undefined : 'the contact was never blocked';
  if (!String(sk).startsWith('IDEMPOTENCY#')) return 'no item type has this key';
  const { uncertainKeys, conversations, messages } = model;
  const isKnown = conversations.has(String(made)) || messages.has(String(made));
  return isKnown || uncertainKeys > 0 ? undefined : 'the resource that it created does not exist';
}

const isKnownGroup = ({ userGroups, groupCreations }: Model, id: string): boolean =>
  userGroups.has(id) || groupCreations.size > 0;

/**
 * Returns why a membership is stray. Accepts memberships of a deleted group: they remain, with
 * `is_group_deleted`, until the purge worker removes them.
 */
function findStrayMembershipReason(
  model: Model,
  contact: string,
  { is_group_deleted }: Item,
  group: string,
): string | undefined {
  if (!isKnownGroup(model, group)) return 'no reply contained its group';
  const span = { startOrder: model.now, ended: model.now + 1 };
  const isPossible =
    !model.userGroups.has(group) ||
    getPossibleMembership(model, group, contact, span).has(is_group_deleted !== true);
  return isPossible ? undefined : 'the contact is not a member of the group';
}

/**
 * Returns a fault unless the number of records equals the number of keys with a successful reply.
 * Requests with an unknown outcome may have stored more records.
 */
export function findWrongIdempotencyRecords(
  { firstReplies, uncertainKeys }: Model,
  items: Item[],
): string[] {
  const expected = [...firstReplies.values()].filter(({ text }) => text !== undefined).length;
  const found = items.filter(({ sk }) => String(sk).startsWith('IDEMPOTENCY#')).length;
  return found >= expected && found <= expected + uncertainKeys
    ? []
    : [`${expected} idempotency records, not ${found}`];
}
