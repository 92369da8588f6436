import * as v from 'valibot';
import { ApiError } from '../../../api-error.ts';
import { flagNames } from '../../../contract/resources/exclude.ts';
import { type Item, queryPage } from '../../calls/access.ts';
import { allFlagSets, type Flags, flaggedPartition } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import type { ConversationItem, ConversationView } from '../items/conversation-item.ts';
import { toFlags } from '../items/flags.ts';
import { getSettings } from '../items/settings.ts';

/**
 * Maximum number of settings to read before the filter uses the flag index. One call reads at most
 * 100 settings.
 */
const maxSettingsReads = 250;
const maxFlagged = 100_000;

/**
 * Creates a filter that returns the conversations without excluded flags, each with its settings.
 * After `maxSettingsReads` conversations, the filter first uses the flag index to drop
 * conversations with an excluded flag, then reads settings until it has `count` results. The filter
 * throws `too_many_conversations` if the index lists more than `maxFlagged` conversations with an
 * excluded flag.
 */
export function createFlagExcluder(contactId: string, excluded: Flags, count: number) {
  let returned = 0;
  let examined = 0;
  let flaggedIds: Promise<Set<string>> | undefined;

  const excludeBySettings = async (
    conversations: ConversationItem[],
  ): Promise<ConversationView[]> => {
    const ids = conversations.map(({ id }) => id);
    const settingsOf = await getSettings(contactId, ids);
    const found = conversations
      .map((conversation) => ({ conversation, settings: settingsOf(conversation.id) }))
      .filter(({ settings }) => !hasCommonFlag(toFlags(settings), excluded));
    returned += found.length;
    return found;
  };

  return async (conversations: ConversationItem[]): Promise<ConversationView[]> => {
    examined += conversations.length;
    if (examined <= maxSettingsReads) return excludeBySettings(conversations);
    flaggedIds ??= getFlaggedIds(contactId, excluded);
    const excludedIds = await flaggedIds;
    const rest = conversations.filter(({ id }) => !excludedIds.has(id));
    const found: ConversationView[] = [];
    while (returned < count && rest.length > 0) {
      found.push(...(await excludeBySettings(rest.splice(0, count - returned))));
    }
    return found;
  };
}

const hasCommonFlag = (flags: Flags, others: Flags) =>
  flagNames.some((name) => flags[name] && others[name]);

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
