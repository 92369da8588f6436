import type { Caller } from '../../../caller.ts';
import type { Contact } from '../../../contract/contact.ts';
import { getItems } from '../../calls/access.ts';
import { getProfile } from '../../contacts.ts';
import { conversationKey, groupInbox } from '../../keys/keys.ts';
import { parseVisibleConversation } from '../items/conversation-item.ts';
import { type ContactWithGroups, isParticipant } from '../items/participants.ts';
import {
  findDirectConversationIds,
  findGroupConversationIds,
  findGroupConversations,
} from './find-by-contact.ts';
import { readInbox } from './read-inbox.ts';

/** What is asked of an index for one conversation: a few more, lest it was deleted a moment ago. They cost no more. */
const indexLimit = { limit: 5 };
/** In so many conversations of groups somebody may be named, before each group has to be asked for. */
const maxNamingConversations = 50;

/**
 * The contact of that id, if it is the caller's own or takes part in a conversation that the caller takes part in;
 * undefined otherwise. Of the members of a group those are known who were in it when they last wrote. Where nothing is
 * found, the calls of the table are those for an id that never was, so that nobody can tell the two apart (but see
 * `namingCaller`). Whatever an index finds is looked up, strongly.
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

/**
 * Conversations of groups that both take part in, as far as the indexes tell. Each group of the caller is asked for,
 * whether or not it is one of the other's.
 */
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
 * Conversations that name the caller, of groups of the other. Where very many do, each of these groups is asked for: then
 * the calls, one at least, tell how many there are.
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

/** The id of no group. */
const noGroup = '#';

async function getGroupConversationIds(group: string): Promise<string[]> {
  const inbox = { index: 'gsi1', partition: groupInbox(group) } as const;
  const { entries } = await readInbox(inbox, { before: undefined, ...indexLimit });
  return entries.map(({ id }) => id);
}

/** How many are looked up together, when the first was not there any more. */
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
