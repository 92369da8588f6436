import type { Caller } from '../../../caller.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import { getItems } from '../../calls/access.ts';
import { pageGrowth } from '../../calls/merge-sources.ts';
import { getProfile } from '../../contacts.ts';
import { getGroupBounds, readsHeads } from '../../group-heads.ts';
import { conversationKey } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';
import { type ContactWithGroups, isParticipant } from '../items/participants.ts';
import {
  findDirectConversationIds,
  findGroupConversationIds,
  findGroupConversations,
} from './find-by-contact.ts';
import { getGroupInbox, readInbox } from './read-inbox.ts';

/** Entries read per query, in case the first were just deleted. Several cost the same as one. */
const indexLimit = { limit: 5 };
/** Maximum group conversations that name a contact before each group is queried. */
const maxNamingConversations = 50;

/**
 * Returns the contact if it is the caller, or shares a conversation with the caller, as consistent
 * reads show. Group members are contacts that had it in their token at their last write. Otherwise
 * the table calls equal those for an id that never existed (but see `findNaming` and
 * `isGroupShared`).
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
    (readsHeads(caller.groups)
      ? await isNamedOrGroupShared(caller, other)
      : await isAnyShared(await findInGroups(caller, other), caller, other));
  return isShared ? contact : undefined;
}

/** Returns group conversations of both, queried for every group, so that calls reveal nothing. */
async function findInGroups(caller: Caller, other: ContactWithGroups): Promise<string[]> {
  const found = await Promise.all([
    findNaming(caller.id, other.groups, maxNamingConversations),
    ...caller.groups.flatMap((group) => [
      findGroupConversationIds(group, other.id, indexLimit),
      getGroupConversationIds(group).then((ids) => (other.groups.includes(group) ? ids : [])),
    ]),
  ]);
  return [...new Set(found.flat())];
}

async function isNamedOrGroupShared(caller: Caller, other: ContactWithGroups): Promise<boolean> {
  const { groups } = caller;
  const [getActiveUntil, ...naming] = await Promise.all([
    getGroupBounds(groups, 'active_until'),
    findNaming(caller.id, other.groups, maxNamingConversations),
    findNaming(other.id, groups, Math.max(maxNamingConversations, 10 * groups.length)),
  ]);
  if (await isAnyShared([...new Set(naming.flat())], caller, other)) return true;
  return isGroupShared(caller, other, getActiveUntil);
}

/**
 * Returns conversations of the groups that name the contact. If very many name the contact, queries
 * each group; the number of calls then reveals that, and the number of groups.
 */
async function findNaming(
  contactId: string,
  groups: readonly string[],
  limit: number,
): Promise<string[]> {
  const { found, isComplete } = await findGroupConversations(contactId, limit);
  if (isComplete)
    return found.flatMap(({ id, group }) => (group && groups.includes(group) ? [id] : []));
  const queriedGroups = groups.length > 0 ? groups : [noGroup];
  const ofEach = queriedGroups.map((group) =>
    findGroupConversationIds(group, contactId, indexLimit),
  );
  return (await Promise.all(ofEach)).flat();
}

const noGroup = '#';

/** Groups queried in the first round, even if the two contacts share fewer. */
const minQueriedGroups = 5;

/**
 * Reports whether both are in a group with a conversation. Queries the groups of both, most
 * recently active first. More than one round of calls reveals that both are in many groups whose
 * conversations were deleted.
 */
async function isGroupShared(
  caller: Caller,
  other: ContactWithGroups,
  getActiveUntil: (group: string) => number | undefined,
): Promise<boolean> {
  const getRank = (group: string) =>
    other.groups.includes(group) ? (getActiveUntil(group) ?? Number.POSITIVE_INFINITY) : 0;
  const ranked = caller.groups.toSorted((a, b) => getRank(b) - getRank(a) || 0);
  let queried = 0;
  for (let count = minQueriedGroups; ; count *= pageGrowth) {
    const groups = ranked.slice(queried, queried + count);
    const shared = groups.filter((group) => getRank(group) > 0);
    if (queried > 0 && shared.length === 0) return false;
    const ofEach = await Promise.all(
      (queried > 0 ? shared : groups).map(async (group) => {
        const ids = await getGroupConversationIds(group);
        return shared.includes(group) ? ids : [];
      }),
    );
    if (await isAnyShared(ofEach.flat(), caller, other)) return true;
    queried += count;
  }
}

async function getGroupConversationIds(group: string): Promise<string[]> {
  const { entries } = await readInbox(getGroupInbox(group), { before: undefined, ...indexLimit });
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
