import type { Conversation } from '../../generated/types.ts';
import type { Page } from '../../requests/list.ts';
import type { InboxList } from '../live-context.ts';
import { type CachedConversation, withFetched } from './cached-conversation.ts';
import {
  getListed,
  type LoadedEnd,
  setLoadedEnd,
  unlistConversation,
} from './conversation-cache.ts';
import { requestExact, requestMissing, requestOrder, storeUpdate } from './inbox-refetches.ts';
import { hasLeftSince } from './left-groups.ts';

type Cursor = Page<Conversation>['next'];

interface Fetched {
  readonly conversations: readonly Conversation[];
  readonly end: LoadedEnd | undefined;
}

/** Reloads as many conversations as listed: at least one page, at most `maxConversations`. */
export async function loadList(list: InboxList): Promise<void> {
  const { cache, limit } = list;
  const count = Math.max(limit, Math.min(cache.options.maxListed, cache.listedIds.size));
  const since = list.live.changes.getTick();
  const fetched = await fetchPages(list, null, count);
  removeUnlisted(list, fetched.conversations, since);
  const changedIds: string[] = [];
  storePage(list, fetched, since, (entry, index) => {
    if (!entry || entry.lastEventTick <= since) return index;
    changedIds.push(entry.conversation.id);
    return entry.rank;
  });
  for (const id of changedIds) requestOrder(list, id);
}

/** Loads the next page of the list. */
export async function loadMore(list: InboxList): Promise<void> {
  const { cache, limit } = list;
  if (!cache.end) return;
  const listed = getListed(cache);
  const lowest = listed.at(-1)?.conversation;
  const from = cache.end.next ?? (lowest ? { starting_after: lowest.id } : null);
  cache.maxListed = Math.max(cache.maxListed, listed.length + limit);
  const since = list.live.changes.getTick();
  const fetched = await fetchPages(list, from, limit);
  const lowestRank = Math.max(0, ...getListed(cache).map(({ rank }) => rank));
  storePage(list, fetched, since, (entry, index) =>
    entry && cache.listedIds.has(entry.conversation.id) ? entry.rank : lowestRank + 1 + index,
  );
}

/**
 * Stores fetched conversations, except deleted ones and those of groups that the user has left
 * since the request. Then sets the end of the loaded part.
 */
function storePage(
  list: InboxList,
  { conversations, end }: Fetched,
  since: number,
  getRank: (entry: CachedConversation | undefined, index: number) => number,
) {
  const { cache, live } = list;
  const { changes } = live;
  setLoadedEnd(cache, undefined);
  conversations.forEach((one, index) => {
    if (changes.isDeleted(one.id) || hasLeftSince(changes, one.group_id, since)) return;
    const entry = cache.entries.get(one.id);
    const rank = getRank(entry, index);
    storeUpdate(list, withFetched(entry, one, { changes, since, rank }));
  });
  setLoadedEnd(cache, end);
}

async function fetchPages(
  { live: { client, signal }, params }: InboxList,
  from: Cursor,
  count: number,
): Promise<Fetched> {
  const conversations: Conversation[] = [];
  let next = from;
  do {
    const limit = Math.min(100, count - conversations.length);
    const list = client.conversations.list({ ...params, limit }, { signal });
    const page: Page<Conversation> = await list.page(next ?? undefined);
    conversations.push(...page.data);
    next = page.has_more ? page.next : null;
  } while (next && conversations.length < count);
  const last = conversations.at(-1);
  return { conversations, end: next && last ? { last, next } : undefined };
}

/**
 * Removes listed conversations that are missing from the reply. If any are removed, the next
 * renewal reloads the lists. Keeps conversations that have changed since the request, and open
 * ones, and schedules their retrieval.
 */
function removeUnlisted(
  list: InboxList,
  conversations: readonly Conversation[],
  since: number,
): void {
  const { cache, live } = list;
  const ids = new Set(conversations.map(({ id }) => id));
  for (const id of live.open.keys())
    if (cache.options.isOpen(id) && !ids.has(id)) requestMissing(list, id);
  for (const { conversation, lastEventTick } of getListed(cache)) {
    const { id } = conversation;
    if (ids.has(id)) continue;
    if (live.changes.hasChangedSince(id, since) || lastEventTick > since) requestExact(list, id);
    else if (cache.options.isOpen(id)) cache.listedIds.delete(id);
    else {
      unlistConversation(cache, id);
      live.session.requireReload();
    }
  }
}
