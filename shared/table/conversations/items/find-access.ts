import type { Caller } from '../../../caller.ts';
import { isConversationId, isUserGroup } from '../../../ids.ts';
import { type Item, lookUpItems } from '../../calls/access.ts';
import { getMembership, type Membership, withGroup } from '../../groups/membership.ts';
import { conversationKey, settingsKey } from '../../keys/keys.ts';
import {
  type ConversationItem,
  type ConversationView,
  parseConversation,
  parseVisibleConversation,
} from './conversation-item.ts';
import { isParticipant } from './participants.ts';
import { parseSettings } from './settings.ts';

export interface Access {
  conversation: ConversationItem;
  /** The caller. If a membership gives access, `groups` contains its user group. */
  participant: Caller;
  /** Membership that gives access; absent if the token or the contacts already give access. */
  membership?: Membership;
}

/**
 * Id of a group that has no members. If the conversation is missing or has no user group, a refused
 * request reads a membership in this group.
 */
const noGroup = '';

/**
 * Returns the caller's access to a conversation; `undefined` if the caller is not a participant.
 * Reads a membership only if neither the token nor the conversation's contacts give access. Every
 * refused request reads a membership, so that it makes the same table calls as a request for an
 * unknown id.
 */
export async function findAccess(
  caller: Caller,
  item: Item | undefined,
): Promise<Access | undefined> {
  const conversation = parseConversation(item);
  if (conversation && isParticipant(conversation, caller)) {
    return { conversation, participant: caller };
  }
  const { group_id: group = noGroup } = conversation ?? {};
  const membership = await getMembership(caller.id, isUserGroup(group) ? group : noGroup);
  return conversation && membership
    ? { conversation, participant: withGroup(caller, membership), membership }
    : undefined;
}

/** Returns the conversation if the caller participates in it. */
export const findVisibleConversation = async (
  caller: Caller,
  item: Item | undefined,
): Promise<ConversationItem | undefined> => (await findAccess(caller, item))?.conversation;

/** Returns the conversation with the caller's settings, if the caller participates in it. */
export async function getConversation(
  id: string,
  caller: Caller,
): Promise<(Access & ConversationView) | undefined> {
  const items = await readConversation(id, caller.id);
  const access = items && (await findAccess(caller, items.conversation));
  return access && { ...access, settings: parseSettings(items.settings) };
}

/**
 * Returns the conversation with the caller's settings. Does not read memberships, so use it only
 * for direct conversations and for conversations that name the caller.
 */
export async function getOwnConversation(
  id: string,
  caller: Caller,
): Promise<ConversationView | undefined> {
  const items = await readConversation(id, caller.id);
  const conversation = parseVisibleConversation(caller, items?.conversation);
  return conversation && { conversation, settings: parseSettings(items?.settings) };
}

async function readConversation(id: string, contactId: string) {
  if (!isConversationId(id)) return undefined;
  const key = conversationKey(id);
  const ownKey = settingsKey(id, contactId);
  const findItem = await lookUpItems([key, ownKey]);
  return { conversation: findItem(key), settings: findItem(ownKey) };
}
