import type { Conversation } from '../../generated/types.ts';
import type { Page } from '../../list.ts';
import { type CacheUpdate, withFetched } from './cached-conversation.ts';
import {
  type ConversationCache,
  getListed,
  type LoadedEnd,
  setLoadedEnd,
  unlistConversation,
} from './conversation-cache.ts';
import type { InboxContext } from './inbox-context.ts';

type Cursor = Page<Conversation>['next'];

interface Fetched {
  readonly conversations: readonly Conversation[];
  readonly end: LoadedEnd | undefined;
  /** The tick at which the request began. */
  readonly since: number;
}

/** Loads again as many conversations as are listed. */
export async function loadList(context: InboxContext): Promise<void> {
  const { cache, changes, limit } = context;
  const since = changes.getTick();
  const wanted = Math.max(limit, Math.min(context.maxListed, cache.listedIds.size));
  const fetched = await fetchPages(context, null, wanted, since);
  const overtaken = removeUnlisted(context, fetched);
  setLoadedEnd(cache, undefined);
  fetched.conversations.forEach((one, index) => {
    const entry = cache.entries.get(one.id);
    const isOvertaken = entry !== undefined && entry.lastEventTick > since;
    storeFetched(context, one, since, isOvertaken ? entry.rank : index);
    if (isOvertaken) overtaken.push(one.id);
  });
  setLoadedEnd(cache, fetched.end);
  overtaken.forEach(context.onPositionUncertain);
}

/** Loads the next page of the list. */
export async function loadMore(context: InboxContext): Promise<void> {
  const { cache, changes, limit } = context;
  const { end } = cache;
  if (!end) return;
  const listed = getListed(cache);
  const lowest = listed.at(-1)?.conversation;
  const from = end.next ?? (lowest ? { starting_after: lowest.id } : null);
  const since = changes.getTick();
  cache.maxListed = Math.max(cache.maxListed, listed.length + limit);
  const fetched = await fetchPages(context, from, limit, since);
  const lowestRank = getLowestRank(cache);
  setLoadedEnd(cache, undefined);
  fetched.conversations.forEach((one, index) => {
    const rank = cache.entries.get(one.id)?.rank ?? lowestRank + 1 + index;
    storeFetched(context, one, since, rank);
  });
  setLoadedEnd(cache, fetched.end);
}

const getLowestRank = (cache: ConversationCache) =>
  Math.max(0, ...getListed(cache).map(({ rank }) => rank));

async function fetchPages(
  { client, params, signal }: InboxContext,
  from: Cursor,
  wanted: number,
  since: number,
): Promise<Fetched> {
  const conversations: Conversation[] = [];
  let next = from;
  do {
    const limit = Math.min(100, wanted - conversations.length);
    const list = client.conversations.list({ ...params, limit }, { signal });
    const page: Page<Conversation> = await list.page(next ?? undefined);
    conversations.push(...page.data);
    next = page.has_more ? page.next : null;
  } while (next && conversations.length < wanted);
  const last = conversations.at(-1);
  return { conversations, end: next && last ? { last, next } : undefined, since };
}

/** Removes what the list no longer has. Returns the ids that events changed during the request. */
function removeUnlisted(context: InboxContext, { conversations, since }: Fetched): string[] {
  const { cache, changes } = context;
  const ids = new Set(conversations.map(({ id }) => id));
  const overtaken: string[] = [];
  for (const { conversation, lastEventTick } of getListed(cache)) {
    const { id } = conversation;
    if (ids.has(id)) continue;
    if (changes.hasChangedSince(id, since) || lastEventTick > since) overtaken.push(id);
    else if (cache.openCounts.has(id)) context.onOpenNotListed(id);
    else {
      unlistConversation(cache, id);
      context.onUnexplainedRemoval();
    }
  }
  return overtaken;
}

function storeFetched(context: InboxContext, one: Conversation, since: number, rank: number) {
  const { cache, changes } = context;
  if (changes.isDeleted(one.id)) return;
  const update: CacheUpdate = withFetched(cache.entries.get(one.id), one, { changes, since, rank });
  context.storeUpdate(update);
}
