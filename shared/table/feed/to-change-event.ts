import * as v from 'valibot';
import type { Inbox } from '../../inbox.ts';
import type { StreamChange } from '../../stream-change.ts';
import { type Item, parseStreamImage } from '../calls/access.ts';
import { ConversationItem, getSharedVersion } from '../conversations/items/conversation-item.ts';
import { isDeleted } from '../conversations/items/conversation-tombstone.ts';
import { getOwnVersion, parseSettings } from '../conversations/items/settings.ts';
import { type GroupItem, parseGroup } from '../groups/group-item.ts';
import { Membership } from '../groups/membership.ts';
import { parseConversationPartition, parseSettingsOwner } from '../keys/keys.ts';
import {
  conversationSort,
  groupSort,
  membershipSortPrefix,
  messageSortPrefix,
  settingsSortPrefix,
  sharedChangeAttribute,
  tableKey,
} from '../keys/names.ts';
import { contentAttributeNames } from '../messages/log/content-item.ts';
import { getMessageVersion, type MessageItem, parseMessage } from '../messages/log/message-item.ts';
import type { FeedEntry } from './feed-entry.ts';

export interface ChangeEvent {
  entry: FeedEntry;
  /** Absent if the change concerns a user group or its members. */
  conversationId?: string;
  conversation?: ConversationItem;
  /** The message after the change, unless it was deleted. */
  message?: MessageItem;
  /** Whether the change leaves the message's text, attachments and scan results unchanged. */
  keepsContent?: boolean;
  /** Whether only the group's members may see the change, not the conversation's contact. */
  isForStaff?: boolean;
  /** The only feed that contains the event. Absent if all participants receive the event. */
  inbox?: Inbox;
  group?: GroupItem;
  /** The membership after the change; absent if the membership ended. */
  membership?: Membership;
  /** Whether another change in the stream puts the same event on the bus. */
  isOnBusOtherwise?: boolean;
  /**
   * Contact whose feed omits the change. Only the conversation's other contact may see the change.
   */
  partnerOf?: string;
  /** Contact who opened the conversation. Only the other contact may see this change. */
  openedBy?: string;
}

const Keyed = v.object({ [tableKey.partition]: v.string(), [tableKey.sort]: v.string() });

/** Converts a stream record to its events: an empty list if participants see no change. */
export function toChangeEvents({ at, before, after }: StreamChange): ChangeEvent[] {
  const [oldItem, newItem] = [parseStreamImage(before), parseStreamImage(after)];
  const { pk, sk } = v.parse(Keyed, newItem ?? oldItem);
  if (sk.startsWith(membershipSortPrefix)) return toMembershipEvents(at, oldItem, newItem);
  if (!newItem) return [];
  if (sk === groupSort) return toGroupEvents(at, oldItem, newItem);
  const conversationId = parseConversationPartition({ pk });
  if (conversationId === undefined) return [];
  if (sk.startsWith(settingsSortPrefix))
    return toSettingsEvents(conversationId, at, oldItem, newItem);
  if (sk.startsWith(messageSortPrefix))
    return toMessageEvents(conversationId, at, oldItem, newItem);
  const event =
    sk === conversationSort && toConversationEvent(conversationId, at, oldItem, newItem);
  return event ? [event] : [];
}

function toConversationEvent(id: string, at: number, oldItem: Item | undefined, newItem: Item) {
  const before = oldItem && !isDeleted(oldItem) ? v.parse(ConversationItem, oldItem) : undefined;
  const toEvent = (
    action: 'created' | 'updated' | 'deleted',
    conversation: ConversationItem,
    version: number,
  ): ChangeEvent => ({
    entry: { type: `conversation.${action}`, id, version, at },
    conversationId: id,
    conversation,
  });
  if (isDeleted(newItem)) {
    return before && toEvent('deleted', before, getSharedVersion(before) + 1);
  }
  const after = v.parse(ConversationItem, newItem);
  if (!before) return toEvent('created', after, getSharedVersion(after));
  // A reservation causes no event. Using the reserved sequence number causes one.
  if (before.version === after.version) return undefined;
  const isForStaff = before.assigned_to !== after.assigned_to;
  return { ...toEvent('updated', after, getSharedVersion(after)), isForStaff };
}

const shownContentNames = [...contentAttributeNames, 'attachment_scans'] as const;

/**
 * Returns one event for all participants or, if the sender and the other contact see different
 * versions, one for each. Omits an event whose version is unchanged.
 */
function toMessageEvents(
  conversationId: string,
  at: number,
  oldItem: Item | undefined,
  newItem: Item,
): ChangeEvent[] {
  const [before, message] = [parseMessage(oldItem), parseMessage(newItem)];
  const latest = message ?? before;
  if (!latest) return [];
  const { id, sent_by, hidden_read_at } = latest;
  const action = message ? (before ? 'updated' : 'created') : 'deleted';
  const keepsContent = shownContentNames.every((name) => before?.[name] === message?.[name]);
  const toEvents = (
    isSender: boolean,
    recipient: Pick<ChangeEvent, 'inbox' | 'partnerOf'> = {},
  ): ChangeEvent[] => {
    const version = getMessageVersion(latest, { isSender }) + (message ? 0 : 1);
    // A new pin is an event of the conversation, not of the message.
    if (before && getMessageVersion(before, { isSender }) === version) return [];
    const entry: FeedEntry = { type: `message.${action}`, id, version, at };
    return [{ entry, conversationId, ...(message && { message, keepsContent }), ...recipient }];
  };
  return hidden_read_at === undefined
    ? toEvents(true)
    : [
        ...toEvents(true, { inbox: toContactInbox(sent_by) }),
        ...toEvents(false, { partnerOf: sent_by }),
      ];
}

function toSettingsEvents(
  id: string,
  at: number,
  oldItem: Item | undefined,
  newItem: Item,
): ChangeEvent[] {
  const [before, settings] = [parseSettings(oldItem), parseSettings(newItem)];
  const version = getOwnVersion(settings);
  if (settings.erased_at !== undefined || version === getOwnVersion(before)) return [];
  const owner = parseSettingsOwner(v.parse(Keyed, newItem).sk);
  const change = { id, version, at };
  return [
    {
      entry: { type: 'conversation.updated', ...change, own: true },
      conversationId: id,
      inbox: toContactInbox(owner),
    },
    ...(settings.last_opened_at === before.last_opened_at
      ? []
      : [
          {
            entry: { type: 'reader.updated', ...change } as const,
            conversationId: id,
            openedBy: owner,
          },
        ]),
  ];
}

/** Returns an event for a new title, picture or role, but none for a new member count. */
function toGroupEvents(at: number, oldItem: Item | undefined, newItem: Item): ChangeEvent[] {
  const [before, group] = [parseGroup(oldItem), parseGroup(newItem)];
  if (!before || !group || before.version === group.version) return [];
  if (!(sharedChangeAttribute in newItem)) return [];
  const { id, version } = group;
  return [
    { entry: { type: 'group.updated', id, version, at }, inbox: { kind: 'group', id }, group },
  ];
}

/**
 * Returns the events of a membership. The version of an added member is `joined_at`: see
 * `toJoinedAt`. Returns no event for a role change, which causes an event of the group.
 */
function toMembershipEvents(
  at: number,
  oldItem: Item | undefined,
  newItem: Item | undefined,
): ChangeEvent[] {
  const before = oldItem && v.parse(Membership, oldItem);
  const membership = newItem && v.parse(Membership, newItem);
  if (!before) return membership ? toMemberEvents('group.member_added', at, membership) : [];
  if (before.is_group_deleted) return [];
  if (!membership) return toMemberEvents('group.member_removed', at, before);
  if (!membership.is_group_deleted) return [];
  const { group_id: id, contact_id, role, group_version: version = 1 } = membership;
  return [
    {
      entry: { type: 'group.deleted', id, version, at },
      inbox: toContactInbox(contact_id),
      // The bus receives the event only from owners' memberships. A group always has an owner.
      isOnBusOtherwise: role !== 'owner',
    },
  ];
}

function toMemberEvents(
  type: 'group.member_added' | 'group.member_removed',
  at: number,
  member: Membership,
): ChangeEvent[] {
  const { group_id: id, contact_id, joined_at } = member;
  const isAdded = type === 'group.member_added';
  const change = { type, id, version: isAdded ? joined_at : joined_at + 1, at };
  const state = isAdded ? { membership: member } : {};
  return [
    { entry: { ...change, member: contact_id }, inbox: { kind: 'group', id }, ...state },
    { entry: { ...change, own: true }, inbox: toContactInbox(contact_id), ...state },
  ];
}

const toContactInbox = (id: string): Inbox => ({ kind: 'contact', id });
