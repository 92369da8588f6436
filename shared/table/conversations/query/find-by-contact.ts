import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { getItems, queryPage } from '../../calls/access.ts';
import {
  conversationKey,
  namedPartition,
  namedSort,
  pairPartition,
  parseConversationPartition,
} from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import { type ConversationItem, parseVisibleConversation } from '../items/conversation-item.ts';
import { type Filters, matchesFilters } from './filters.ts';

const { partition, sort } = indexes.gsi3;
const PairedItem = v.object({ pk: v.string(), group_id: v.optional(v.string()) });

interface PairQuery {
  /** How many are looked for. */
  limit: number;
  /** The oldest ones; without it the newest. */
  oldest?: boolean;
  /** Those that this contact has made: the others count for the limit, but are not given. */
  createdBy?: string | undefined;
}

/**
 * The ids of direct conversations of two contacts, or of a contact with themself, in the order of their creation. The index
 * may be a moment behind: whoever shows anything of a conversation has to look it up.
 */
export const findDirectConversationIds = async (one: string, other: string, wanted: PairQuery) =>
  (await queryIndex(pairPartition(one, other), '', wanted)).found.map(({ id }) => id);

/** The same of the conversations of a group that name the contact. */
export const findGroupConversationIds = async (
  groupId: string,
  contactId: string,
  wanted: PairQuery,
) =>
  (await queryIndex(namedPartition(contactId), namedSort(groupId), wanted)).found.map(
    ({ id }) => id,
  );

/** Conversations of all groups that name the contact, those of one group together; and whether these are all. */
export const findGroupConversations = (contactId: string, limit: number) =>
  queryIndex(namedPartition(contactId), '', { limit });

interface IndexedConversation {
  id: string;
  /** The group that it is of, if it is of one. */
  group: string | undefined;
}

/** Those whose sort keys begin like that. */
async function queryIndex(
  key: string,
  sortPrefix: string,
  { limit, oldest = false, createdBy }: PairQuery,
): Promise<{ found: IndexedConversation[]; isComplete: boolean }> {
  const { items, next } = await queryPage({
    IndexName: 'gsi3',
    KeyConditionExpression: `${partition} = :partition${sortPrefix && ` AND begins_with(${sort}, :beginning)`}`,
    ...(createdBy !== undefined && { FilterExpression: 'created_by = :creator' }),
    ExpressionAttributeValues: {
      ':partition': key,
      ...(sortPrefix && { ':beginning': sortPrefix }),
      ...(createdBy !== undefined && { ':creator': createdBy }),
    },
    ProjectionExpression: 'pk, group_id',
    ScanIndexForward: oldest,
    Limit: limit,
  });
  const found = items.flatMap((item) => {
    const { pk, group_id: group } = v.parse(PairedItem, item);
    const id = parseConversationPartition({ pk });
    return id === undefined ? [] : [{ id, group }];
  });
  return { found, isComplete: next === undefined };
}

/** So many are looked up, a hundred a call. */
const maxLookups = 1000;

/**
 * The conversations of a list that is of one contact, in no order, read strongly; undefined where there are more than a
 * thousand, or none is wanted in particular.
 */
export async function findConversationsWith(
  caller: Caller,
  filters: Filters,
): Promise<ConversationItem[] | undefined> {
  const { groupId, contactId } = filters;
  if (contactId === undefined) return undefined;
  const wanted = { limit: maxLookups + 1 };
  const parts = await Promise.all(
    groupId === undefined
      ? [queryIndex(pairPartition(caller.id, contactId), '', wanted)]
      : getNamedPairs(contactId, caller.id).map(([named, createdBy]) =>
          queryIndex(namedPartition(named), namedSort(groupId), { ...wanted, createdBy }),
        ),
  );
  const ids = [...new Set(parts.flatMap(({ found }) => found.map(({ id }) => id)))];
  if (ids.length > maxLookups || parts.some(({ isComplete }) => !isComplete)) return undefined;
  const items = await getItems(ids.map(conversationKey));
  return items
    .flatMap((item) => parseVisibleConversation(caller, item) ?? [])
    .filter((conversation) => matchesFilters(filters, conversation, caller));
}

/**
 * Whom a group's conversations with a contact name, and who has made them: anybody those that name the contact, and the
 * contact those that name the caller. Whoever else names the caller, however often, does not matter then.
 */
const getNamedPairs = (contactId: string, callerId: string): [string, string | undefined][] => [
  [callerId, contactId],
  ...(contactId === callerId ? [] : [[contactId, undefined] satisfies [string, undefined]]),
];
