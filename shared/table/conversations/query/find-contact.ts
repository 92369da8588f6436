import type { Caller } from '../../../caller.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import { getItems } from '../../calls/access.ts';
import { getProfile } from '../../contacts.ts';
import { conversationKey, groupInboxPartition } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';
import { type ContactWithGroups, isParticipant } from '../items/participants.ts';
import {
  findDirectConversationIds,
  findGroupConversationIds,
  findGroupConversations,
} from './find-by-contact.ts';
import { readInbox } from './read-inbox.ts';

/** Entries read per query, in case the first were just deleted. Several cost the same as one. */
const indexLimit = { limit: 5 };
/** Maximum group conversations that name a contact before each group is queried. */
const maxNamingConversations = 50;

/**
 * Returns the contact if it is the caller, or shares a conversation with the caller, as consistent
 * reads show. Group members are contacts that had it in their token at their last write. Otherwise
 * the table calls equal those for an id that never existed (but see `findNamingCaller`).
 */
export async function findContact(id: string, caller: Caller): Promise<Contact | undefined> {
  if (id === caller.id) return (await getProfile(id)).contact;
  const [{ contact, groups }, direct] = await Promise.all([
    getProfile(id),
    findDirectConversationIds(caller.id, id, indexLimit),
  ]);
  const other = { id, groups };
  const isShared =
    (await isAnyShared(direct, caller, other)) ||
    (await isAnyShared(await findInGroups(caller, other), caller, other));
  return isShared ? contact : undefined;
}

/** Returns group conversations of both, queried for every group, so that calls reveal nothing. */
async function findInGroups(caller: Caller, other: ContactWithGroups): Promise<string[]> {
  const found = await Promise.all([
    findNamingCaller(caller, other),
    ...caller.groups.flatMap((group) => [
      findGroupConversationIds(group, other.id, indexLimit),
      getGroupConversationIds(group).then((ids) => (other.groups.includes(group) ? ids : [])),
    ]),
  ]);
  return [...new Set(found.flat())];
}

/**
 * Returns conversations that name the caller, in groups of the other contact. If very many name the
 * caller, queries each of these groups; the number of calls then reveals the number of groups.
 */
async function findNamingCaller(caller: Caller, { groups }: ContactWithGroups): Promise<string[]> {
  const { found, isComplete } = await findGroupConversations(caller.id, maxNamingConversations);
  if (isComplete)
    return found.flatMap(({ id, group }) => (group && groups.includes(group) ? [id] : []));
  const queriedGroups = groups.length > 0 ? groups : [noGroup];
  const ofEach = queriedGroups.map((group) =>
    findGroupConversationIds(group, caller.id, indexLimit),
  );
  return (await Promise.all(ofEach)).flat();
}

const noGroup = '#';

async function getGroupConversationIds(group: string): Promise<string[]> {
  const inbox = { index: 'gsi1', partition: groupInboxPartition(group) } as const;
  const { entries } = await readInbox(inbox, { before: undefined, ...indexLimit });
  return entries.map(({ id }) => id);
}

/** Number of conversations read together, if the first was deleted meanwhile. */
const maxLookups = 99;

async function isAnyShared(
  [first, ...others]: string[],
  caller: Caller,
  other: ContactWithGroups,
): Promise<boolean> {
  if (first === undefined) return false;
  const isShared = async (ids: string[]) => {
    const items = await getItems(ids.map(conversationKey));
    return items.some((item) => {
      const conversation = parseVisibleConversation(caller, item);
      return conversation !== undefined && isParticipant(conversation, other);
    });
  };
  return (await isShared([first])) || (others.length > 0 && isShared(others.slice(0, maxLookups)));
}
