import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { getItems, type Item } from '../calls/access.ts';
import { type MergeRange, mergeSources } from '../calls/merge.ts';
import { conversationKey, type Flags, flaggedPartition } from '../keys/keys.ts';
import { indexes } from '../keys/names.ts';
import { type ConversationItem, type View, visibleTo } from './items.ts';
import { Settings } from './settings.ts';

/**
 * The conversations, of all or of one group, that the caller takes part in and has given all the wanted flags, from the
 * newest one on, or from the one of the id `from`, itself not given. Throws `too_many_conversations`.
 */
export const readFlagged = (
  caller: Caller,
  wanted: Flags,
  groupId: string | undefined,
  range: MergeRange,
): Promise<View[]> =>
  mergeSources({
    ...range,
    sources: supersetsOf(wanted).map((flags) => ({
      index: 'gsi3',
      partition: flaggedPartition(caller.id, flags),
    })),
    having: asFarAsKnown(caller, groupId),
    choose: async (items) => {
      const views = await viewsOf(items, caller);
      return views.filter(
        ({ conversation }) => groupId === undefined || conversation.group_id === groupId,
      );
    },
  });

/**
 * What the index tells of conversations of the wanted group, or of any that the caller may be in: whoever has left a group
 * keeps the flags of its conversations, and need not look at each of them for ever.
 */
function asFarAsKnown({ groups }: Caller, groupId: string | undefined) {
  const names = groups.map((_, n) => `:group${n}`);
  const isIn = [
    'attribute_not_exists(group_id)',
    'is_named = :true',
    ...(names.length > 0 ? [`group_id IN (${names.join(', ')})`] : []),
  ].join(' OR ');
  return {
    expression: groupId === undefined ? isIn : `group_id = :wanted AND (${isIn})`,
    values: {
      ':true': true,
      ...Object.fromEntries(groups.map((group, n) => [`:group${n}`, group])),
      ...(groupId !== undefined && { ':wanted': groupId }),
    },
  };
}

/** The wanted flags with and without each of the others. */
const supersetsOf = ({ muted, archived, pinned }: Flags): Flags[] =>
  valuesOf(muted).flatMap((m) =>
    valuesOf(archived).flatMap((a) =>
      valuesOf(pinned).map((p) => ({ muted: m, archived: a, pinned: p })),
    ),
  );

const valuesOf = (wanted: boolean) => (wanted ? [true] : [true, false]);

const { sort: conversationId } = indexes.gsi3;
const FlaggedItem = v.object({ ...Settings.entries, [conversationId]: v.string() });

/** The conversations of the settings in the index, without those that the caller does not take part in any more. */
async function viewsOf(items: Item[], caller: Caller): Promise<View[]> {
  const flagged = items.map((item) => v.parse(FlaggedItem, item));
  const found = await getItems(flagged.map((one) => conversationKey(one[conversationId])));
  const conversations = new Map<string, ConversationItem>();
  for (const item of found) {
    const conversation = visibleTo(caller, item);
    if (conversation) conversations.set(conversation.id, conversation);
  }
  return flagged.flatMap(({ [conversationId]: id, ...settings }) => {
    const conversation = conversations.get(id);
    return conversation ? [{ conversation, settings }] : [];
  });
}
