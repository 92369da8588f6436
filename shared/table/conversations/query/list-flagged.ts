import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { flagNames } from '../../../contract/resources/exclude.ts';
import type { Item } from '../../calls/access.ts';
import { type MergeRange, mergeSources } from '../../calls/merge-sources.ts';
import { allFlagSets, type Flags, flaggedPartition } from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import type { FoundConversation } from '../items/conversation-item.ts';
import { toGroupConditions } from '../items/participants.ts';
import { Settings } from '../items/settings.ts';
import type { Filters } from './filters.ts';
import { getVisibleConversations } from './get-visible-conversations.ts';

export interface FlagFilters {
  wanted: Flags;
  excluded: Flags;
}

/**
 * Returns the caller's conversations that have every wanted flag and no excluded flag, sorted by
 * creation time. Throws `too_many_conversations`.
 */
export const listFlagged = (
  caller: Caller,
  flags: FlagFilters,
  filters: Filters,
  range: MergeRange,
): Promise<FoundConversation[]> =>
  mergeSources({
    ...range,
    sources: getFlagSets(flags).map((set) => ({
      index: 'gsi3',
      partition: flaggedPartition(caller.id, set),
    })),
    filter: toIndexCondition(caller, filters),
    choose: (items) => toViews(items, caller),
  });

const getFlagSets = ({ wanted, excluded }: FlagFilters): Flags[] =>
  allFlagSets.filter((set) =>
    flagNames.every((name) => (set[name] ? !excluded[name] : !wanted[name])),
  );

/**
 * Returns the condition that a conversation matches the filters and is visible to the caller. A
 * visibility check is needed because the settings remain after the caller leaves a group.
 */
function toIndexCondition(caller: Caller, { groupId, contactId }: Filters) {
  const inGroups = toGroupConditions(caller);
  const isIn = ['attribute_not_exists(group_id)', 'is_named = :true', ...inGroups.conditions].join(
    ' OR ',
  );
  const conditions = [
    `(${isIn})`,
    ...(groupId === undefined ? [] : ['group_id = :wanted']),
    ...(contactId === undefined ? [] : ['contact_id = :contact']),
    ...(groupId === undefined && contactId !== undefined ? ['attribute_not_exists(group_id)'] : []),
  ];
  return {
    expression: conditions.join(' AND '),
    values: {
      ':true': true,
      ...inGroups.values,
      ...(groupId !== undefined && { ':wanted': groupId }),
      ...(contactId !== undefined && { ':contact': contactId }),
    },
  };
}

const { sort: conversationId } = indexes.gsi3;
const FlaggedItem = v.object({ ...Settings.entries, [conversationId]: v.string() });

/** Omits conversations in which the caller no longer participates. */
async function toViews(items: Item[], caller: Caller): Promise<FoundConversation[]> {
  const flagged = items.map((item) => v.parse(FlaggedItem, item));
  const ids = flagged.map((one) => one[conversationId]);
  const conversations = await getVisibleConversations(ids, caller);
  return flagged.flatMap(({ [conversationId]: id, ...settings }) => {
    const conversation = conversations.get(id);
    return conversation ? [{ conversation, settings, consistentParts: 'conversation' }] : [];
  });
}
