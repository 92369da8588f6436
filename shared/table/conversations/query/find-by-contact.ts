import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { queryPage } from '../../calls/access.ts';
import {
  namedPartition,
  namedSort,
  pairPartition,
  parseConversationPartition,
} from '../../keys/keys.ts';
import { indexes } from '../../keys/names.ts';
import type { ConversationItem } from '../items/conversation-item.ts';
import { type Filters, matchesFilters } from './filters.ts';
import { getVisibleConversations } from './get-visible-conversations.ts';

const { partition, sort } = indexes.gsi3;
const PairedItem = v.object({ pk: v.string(), group_id: v.optional(v.string()) });

interface PairQuery {
  limit: number;
  /** Returns the oldest conversations first. Default: newest first. */
  oldest?: boolean;
  /**
   * Returns only this creator's conversations. Other creators' conversations also count toward the
   * limit.
   */
  createdBy?: string | undefined;
}

/**
 * Returns the ids of two contacts' direct conversations, newest first by default. The list may be
 * stale.
 */
export const findDirectConversationIds = (one: string, other: string, wanted: PairQuery) =>
  queryIds(pairPartition(one, other), '', wanted);

export const findGroupConversationIds = (groupId: string, contactId: string, wanted: PairQuery) =>
  queryIds(namedPartition(contactId), namedSort(groupId), wanted);

const queryIds = async (...query: Parameters<typeof queryIndex>): Promise<string[]> =>
  (await queryIndex(...query)).found.map(({ id }) => id);

/**
 * Returns up to `limit` group conversations that name the contact, sorted by group, and whether the
 * list is complete.
 */
export const findGroupConversations = (contactId: string, limit: number) =>
  queryIndex(namedPartition(contactId), '', { limit });

interface IndexedConversation {
  id: string;
  group: string | undefined;
}

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

const maxLookups = 1000;

/**
 * Returns the matching conversations, unsorted. If there is no contact filter, or if there are more
 * than `maxLookups` candidates, returns `undefined`.
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
  const conversations = await getVisibleConversations(ids, caller);
  return [...conversations.values()].filter((one) => matchesFilters(filters, one, caller));
}

/**
 * Returns pairs of a named contact and a creator. Together, the pairs cover all of a group's
 * conversations with a contact. A pair without a creator covers all creators.
 */
const getNamedPairs = (contactId: string, callerId: string): [string, string | undefined][] => [
  [callerId, contactId],
  ...(contactId === callerId ? [] : [[contactId, undefined] satisfies [string, undefined]]),
];
