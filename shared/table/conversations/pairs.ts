import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { getItems, queryPage } from '../calls/access.ts';
import {
  conversationIdOf,
  conversationKey,
  namedPartition,
  namedSort,
  pairPartition,
} from '../keys/keys.ts';
import { indexes } from '../keys/names.ts';
import { type Filters, isAmong } from './filters.ts';
import { type ConversationItem, visibleTo } from './items.ts';

const { partition, sort } = indexes.gsi3;
const PairedItem = v.object({ pk: v.string(), group_id: v.optional(v.string()) });

interface Wanted {
  /** How many are looked for. */
  limit: number;
  /** The oldest ones; without it the newest. */
  oldest?: boolean;
}

/**
 * The ids of direct conversations of two contacts, or of a contact with themself, in the order of their creation. The index
 * may be a moment behind: whoever shows anything of a conversation has to look it up.
 */
export const conversationsOfPair = async (one: string, other: string, wanted: Wanted) =>
  (await query(pairPartition(one, other), '', wanted)).found.map(({ id }) => id);

/** The same of the conversations of a group that name the contact. */
export const conversationsNaming = async (groupId: string, contactId: string, wanted: Wanted) =>
  (await query(namedPartition(contactId), namedSort(groupId), wanted)).found.map(({ id }) => id);

/** Conversations of all groups that name the contact, those of one group together; and whether these are all. */
export const allNaming = (contactId: string, limit: number) =>
  query(namedPartition(contactId), '', { limit });

interface Paired {
  id: string;
  /** The group that it is of, if it is of one. */
  group: string | undefined;
}

/** Those whose sort keys begin like that. */
async function query(
  key: string,
  beginning: string,
  { limit, oldest = false }: Wanted,
): Promise<{ found: Paired[]; isAll: boolean }> {
  const { items, next } = await queryPage({
    IndexName: 'gsi3',
    KeyConditionExpression: `${partition} = :partition${beginning && ` AND begins_with(${sort}, :beginning)`}`,
    ExpressionAttributeValues: {
      ':partition': key,
      ...(beginning && { ':beginning': beginning }),
    },
    ProjectionExpression: 'pk, group_id',
    ScanIndexForward: oldest,
    Limit: limit,
  });
  const found = items.flatMap((item) => {
    const { pk, group_id: group } = v.parse(PairedItem, item);
    const id = conversationIdOf({ pk });
    return id === undefined ? [] : [{ id, group }];
  });
  return { found, isAll: next === undefined };
}

/** So many are looked up, a hundred a call. */
const mostLookedUp = 1000;

/**
 * The conversations of a list that is of one contact, in no order, read strongly; undefined where there are more than a
 * thousand, or none is wanted in particular.
 */
export async function conversationsWith(
  caller: Caller,
  filters: Filters,
): Promise<ConversationItem[] | undefined> {
  const { groupId, contactId } = filters;
  if (contactId === undefined) return undefined;
  const wanted = { limit: mostLookedUp + 1 };
  const found = await Promise.all(
    groupId === undefined
      ? [conversationsOfPair(caller.id, contactId, wanted)]
      : [...new Set([contactId, caller.id])].map((id) => conversationsNaming(groupId, id, wanted)),
  );
  const ids = [...new Set(found.flat())];
  if (ids.length > mostLookedUp) return undefined;
  const items = await getItems(ids.map(conversationKey));
  return items
    .flatMap((item) => visibleTo(caller, item) ?? [])
    .filter((conversation) => isAmong(filters, conversation, caller));
}
