import type { Caller } from '../../../caller.ts';
import type { Contact } from '../../../contract/resources/contact.ts';
import { isUserGroup } from '../../../ids.ts';
import { pageGrowth } from '../../calls/merge-sources.ts';
import { getProfile } from '../../contacts.ts';
import { getGroupBounds, readsHeads } from '../../group-heads.ts';
import { listMemberships, withMemberships } from '../../groups/list-memberships.ts';
import { type ContactWithGroups, isParticipant } from '../items/participants.ts';
import {
  findDirectConversationIds,
  findGroupConversationIds,
  findGroupConversations,
} from './find-by-contact.ts';
import { getVisibleConversations } from './get-visible-conversations.ts';
import { getGroupInbox, readInbox } from './read-inbox.ts';

/**
 * Entries per query. The conversation of the first entry may just have been deleted, and five
 * entries cost the same as one.
 */
const indexLimit = { limit: 5 };
/**
 * Maximum number of entries in the query for group conversations that name the caller. If more
 * entries name the caller, `findNaming` queries each group.
 */
const maxNamingConversations = 50;

/**
 * Returns the contact if it is the caller or shares a conversation or a user group with the caller.
 * Otherwise, returns `undefined` after the same table calls as for an unknown id; `findNaming` and
 * `isGroupShared` document exceptions. A contact counts as a member of the groups in the token of
 * the contact's last write.
 */
export async function findContact(id: string, tokenCaller: Caller): Promise<Contact | undefined> {
  if (id === tokenCaller.id) return (await getProfile(id)).contact;
  const [{ contact, groups }, direct, caller] = await Promise.all([
    getProfile(id),
    findDirectConversationIds(tokenCaller.id, id, indexLimit),
    withMemberships(tokenCaller),
  ]);
  const other = { id, groups };
  if (await isAnyShared(direct, caller, other)) return contact;
  if (await isOfSameUserGroup(caller, id)) return contact;
  const naming = findGroupConversations(caller.id, maxNamingConversations);
  const isShared =
    (readsHeads(caller.groups)
      ? await isNamedOrGroupShared(caller, other, naming)
      : await isAnyShared(await findInGroups(caller, other, naming), caller, other)) ||
    (await isMemberOfNamingGroup(caller, id, await naming));
  return isShared ? contact : undefined;
}

async function isOfSameUserGroup({ groups }: Caller, otherId: string): Promise<boolean> {
  if (!groups.some(isUserGroup)) return false;
  const memberships = await listMemberships(otherId);
  return memberships.some(({ group_id }) => groups.includes(group_id));
}

/**
 * Returns candidates for shared conversations. Queries all the caller's groups, so that the calls
 * do not reveal the contact's groups.
 */
async function findInGroups(
  caller: Caller,
  other: ContactWithGroups,
  naming: Promise<GroupConversations>,
): Promise<string[]> {
  const found = await Promise.all([
    findNaming(caller.id, other.groups, naming),
    ...caller.groups.map((group) => findGroupConversationIds(group, other.id, indexLimit)),
    ...getTokenGroups(caller).map(async (group) => {
      const ids = await getGroupConversationIds(group);
      return other.groups.includes(group) ? ids : [];
    }),
  ]);
  return [...new Set(found.flat())];
}

/** Omits user groups, because `isOfSameUserGroup` compares their memberships. */
const getTokenGroups = ({ groups }: Caller) => groups.filter((group) => !isUserGroup(group));

async function isNamedOrGroupShared(
  caller: Caller,
  other: ContactWithGroups,
  naming: Promise<GroupConversations>,
): Promise<boolean> {
  const { groups } = caller;
  const limit = Math.max(maxNamingConversations, 10 * groups.length);
  const [getActiveUntil, ...found] = await Promise.all([
    getGroupBounds(getTokenGroups(caller), 'active_until'),
    findNaming(caller.id, other.groups, naming),
    findNaming(other.id, groups, findGroupConversations(other.id, limit)),
  ]);
  if (await isAnyShared([...new Set(found.flat())], caller, other)) return true;
  return isGroupShared(caller, other, getActiveUntil);
}

/**
 * Returns the ids of the groups' conversations that name the contact. If `naming` is incomplete,
 * queries each group. The calls then reveal the number of groups, and show that the contact is
 * named in many conversations.
 */
async function findNaming(
  contactId: string,
  groups: readonly string[],
  naming: Promise<GroupConversations>,
): Promise<string[]> {
  const { found, isComplete } = await naming;
  if (isComplete)
    return found.flatMap(({ id, group }) => (group && groups.includes(group) ? [id] : []));
  const queriedGroups = groups.length > 0 ? groups : [noGroup];
  const queries = queriedGroups.map((group) =>
    findGroupConversationIds(group, contactId, indexLimit),
  );
  return (await Promise.all(queries)).flat();
}

type GroupConversations = Awaited<ReturnType<typeof findGroupConversations>>;

const noGroup = '#';

/**
 * Reports whether the contact is in a user group with a conversation that names the caller. Makes
 * no calls if `found` is complete and contains no conversation of a user group.
 */
async function isMemberOfNamingGroup(
  caller: Caller,
  id: string,
  { found, isComplete }: GroupConversations,
): Promise<boolean> {
  const userGroupConversations = found.filter(
    ({ group }) => group !== undefined && isUserGroup(group),
  );
  if (isComplete && userGroupConversations.length === 0) return false;
  const groups = (await listMemberships(id)).map(({ group_id }) => group_id);
  const ids = await findNaming(
    caller.id,
    groups,
    Promise.resolve({ found: userGroupConversations, isComplete }),
  );
  return isAnyShared(ids, caller, { id, groups });
}

/** Number of groups to query in the first round, even if the two contacts share fewer groups. */
const minQueriedGroups = 5;

/**
 * Reports whether the two contacts share a token group that has a conversation. Queries shared
 * groups first, starting with the most recently active group. From the duration of a second round
 * of calls, a caller can infer that the contacts share many groups whose conversations were
 * deleted.
 */
async function isGroupShared(
  caller: Caller,
  other: ContactWithGroups,
  getActiveUntil: (group: string) => number | undefined,
): Promise<boolean> {
  const getRank = (group: string) =>
    other.groups.includes(group) ? (getActiveUntil(group) ?? Number.POSITIVE_INFINITY) : 0;
  const ranked = getTokenGroups(caller).toSorted((a, b) => getRank(b) - getRank(a) || 0);
  let queried = 0;
  for (let count = minQueriedGroups; ; count *= pageGrowth) {
    const groups = ranked.slice(queried, queried + count);
    const shared = groups.filter((group) => getRank(group) > 0);
    if (queried > 0 && shared.length === 0) return false;
    const idsPerGroup = await Promise.all(
      (queried > 0 ? shared : groups).map(async (group) => {
        const ids = await getGroupConversationIds(group);
        return shared.includes(group) ? ids : [];
      }),
    );
    if (await isAnyShared(idsPerGroup.flat(), caller, other)) return true;
    queried += count;
  }
}

async function getGroupConversationIds(group: string): Promise<string[]> {
  const { entries } = await readInbox(getGroupInbox(group), { before: undefined, ...indexLimit });
  return entries.map(({ id }) => id);
}

/**
 * Maximum number of conversations to read if the first one is not shared (for example, because it
 * was deleted).
 */
const maxLookups = 99;

async function isAnyShared(
  [first, ...others]: string[],
  caller: Caller,
  other: ContactWithGroups,
): Promise<boolean> {
  if (first === undefined) return false;
  const isShared = async (ids: string[]) => {
    const conversations = await getVisibleConversations(ids, caller);
    return [...conversations.values()].some((one) => isParticipant(one, other));
  };
  return (await isShared([first])) || (others.length > 0 && isShared(others.slice(0, maxLookups)));
}
