import * as v from 'valibot';
import { flagNames } from '../../../contract/exclude.ts';
import { ApiError } from '../../../errors.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import { allFlagSets, type Flags, flaggedPartition } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import type { ConversationItem } from '../items/conversation-item.ts';
import { toFlags } from '../items/flags.ts';
import { getSettings, type Settings } from '../items/settings.ts';

/** A conversation whose settings were looked at. */
export interface ConversationWithSettings {
  conversation: ConversationItem;
  settings: Settings;
}

/** So many settings are read, a hundred a call, before the index is asked for all that is to be left out. */
const maxSettingsReads = 250;
/** What the index may have, of all flags together. */
const maxFlagged = 100_000;

/**
 * Gives a function that leaves out, of conversations in the order of a list, those to which the contact has given one of
 * the flags, and gives the others with their settings, as they were a moment ago, until it has given `count` in all. At first
 * it looks at the settings of each. Whoever has so many of what is left out that this goes on for long has them in the index
 * by thousands: then that is read instead, and only what it does not know is looked at. It throws `too_many_conversations`
 * where the index has too many.
 */
export function createFlagExcluder(contactId: string, excluded: Flags, count: number) {
  let returned = 0;
  let examined = 0;
  let flaggedIds: Promise<Set<string>> | undefined;

  const excludeBySettings = async (
    conversations: ConversationItem[],
  ): Promise<ConversationWithSettings[]> => {
    const settingsOf = await getSettings(
      contactId,
      conversations.map(({ id }) => id),
    );
    const found = conversations
      .map((conversation) => ({ conversation, settings: settingsOf(conversation.id) }))
      .filter(({ settings }) => !hasCommonFlag(toFlags(settings), excluded));
    returned += found.length;
    return found;
  };

  return async (conversations: ConversationItem[]): Promise<ConversationWithSettings[]> => {
    examined += conversations.length;
    if (examined <= maxSettingsReads) return excludeBySettings(conversations);
    flaggedIds ??= getFlaggedIds(contactId, excluded);
    const excludedIds = await flaggedIds;
    const rest = conversations.filter(({ id }) => !excludedIds.has(id));
    const found: ConversationWithSettings[] = [];
    while (returned < count && rest.length > 0) {
      found.push(...(await excludeBySettings(rest.splice(0, count - returned))));
    }
    return found;
  };
}

const hasCommonFlag = (some: Flags, others: Flags) =>
  flagNames.some((name) => some[name] && others[name]);

/** The ids of all conversations with one of the flags, as the index has them. */
async function getFlaggedIds(contactId: string, excluded: Flags): Promise<Set<string>> {
  const ids = new Set<string>();
  const sets = allFlagSets.filter((flags) => hasCommonFlag(flags, excluded));
  await Promise.all(sets.map((flags) => collectIds(flaggedPartition(contactId, flags), ids)));
  return ids;
}

const { partition, sort } = indexes.gsi3;
const FlaggedEntry = v.object({ [sort]: v.string() });

async function collectIds(key: string, ids: Set<string>): Promise<void> {
  let next: Item | undefined;
  do {
    const page = await queryPage({
      IndexName: 'gsi3',
      KeyConditionExpression: `${partition} = :partition`,
      ExpressionAttributeValues: { ':partition': key },
      ProjectionExpression: sort,
      ExclusiveStartKey: next,
    });
    for (const item of page.items) ids.add(v.parse(FlaggedEntry, item)[sort]);
    if (ids.size > maxFlagged) throw new ApiError('too_many_conversations');
    next = page.next;
  } while (next);
}
