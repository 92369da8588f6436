import type { Client } from '../../client.ts';
import type { Conversation } from '../../generated/types.ts';
import type { Page } from '../../list.ts';
import type { LiveOptions } from '../live-types.ts';
import { type CacheUpdate, withFetched } from './cached-conversation.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { ConversationCache, LoadedEnd } from './conversation-cache.ts';

/** The pages of the list, one request after the other. */
export interface ConversationLoader {
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  /** Lists what comes below it. */
  loadMore(): Promise<void>;
}

export interface ConversationLoaderOptions {
  client: Pick<Client, 'conversations'>;
  /** Of the list, with the size of a page. */
  params: NonNullable<LiveOptions['conversations']> & { limit: number };
  /** How many to list anew at most. */
  maxListed: number;
  changes: ChangeTracker;
  cache: ConversationCache;
  signal: AbortSignal;
  storeUpdate(next: CacheUpdate): void;
  /** What is open is not in the list, as it seems. */
  onOpenNotListed(conversationId: string): void;
  /** What was listed is so no more, and nothing told why. */
  onUnexplainedRemoval(): void;
  /** It keeps the place that it had before it was listed. */
  onPositionUncertain(conversationId: string): void;
}

type Cursor = Page<Conversation>['next'];

export function createConversationLoader(given: ConversationLoaderOptions): ConversationLoader {
  const {
    client,
    params,
    maxListed: most,
    changes: know,
    cache: shelf,
    signal,
    storeUpdate: keep,
    onOpenNotListed: missing,
    onUnexplainedRemoval: strayed,
    onPositionUncertain: moved,
  } = given;
  const { limit } = params;
  let lane: Promise<void> = Promise.resolve();

  const ask = (at: Cursor, size: number) =>
    client.conversations
      .list({ ...params, limit: Math.min(100, size) }, { signal })
      .page(at ?? undefined);

  const toLoadedEnd = (data: readonly Conversation[], next: Cursor): LoadedEnd | undefined => {
    const last = data.at(-1);
    return next && last ? { last, next } : undefined;
  };

  const load = async () => {
    const since = know.getTick();
    const wanted = Math.max(limit, Math.min(most, shelf.getListed().length));
    const data: Conversation[] = [];
    let next: Cursor = null;
    do {
      const page: Page<Conversation> = await ask(next, wanted - data.length);
      data.push(...page.data);
      next = page.has_more ? page.next : null;
    } while (next && data.length < wanted);
    const ids = new Set(data.map(({ id }) => id));
    // What was heard meanwhile the list may not have.
    const isHeard = (id: string) =>
      know.hasChangedSince(id, since) || (shelf.get(id)?.lastEventTick ?? 0) > since;
    const overtaken: string[] = [];
    for (const { conversation } of shelf.getListed()) {
      const { id } = conversation;
      if (ids.has(id)) continue;
      if (isHeard(id)) overtaken.push(id);
      else if (shelf.isOpen(id)) missing(id);
      else {
        shelf.unlist(id);
        strayed();
      }
    }
    shelf.setEnd(undefined);
    data.forEach((one, index) => {
      if (know.isDeleted(one.id)) return;
      const had = shelf.get(one.id);
      const isOvertaken = had !== undefined && had.lastEventTick > since;
      keep(withFetched(had, one, { changes: know, since, rank: isOvertaken ? had.rank : index }));
      if (isOvertaken) overtaken.push(one.id);
    });
    shelf.setEnd(toLoadedEnd(data, next));
    overtaken.forEach(moved);
  };

  const loadMore = async () => {
    const end = shelf.getEnd();
    if (!end) return;
    const lowest = shelf.getListed().at(-1);
    const from = end.next ?? (lowest ? { starting_after: lowest.conversation.id } : null);
    const since = know.getTick();
    shelf.makeRoom(limit);
    const page = await ask(from, limit);
    const lowestRank = Math.max(0, ...shelf.getListed().map(({ rank }) => rank));
    shelf.setEnd(undefined);
    page.data.forEach((one, index) => {
      if (know.isDeleted(one.id)) return;
      const had = shelf.get(one.id);
      keep(
        withFetched(had, one, { changes: know, since, rank: had?.rank ?? lowestRank + 1 + index }),
      );
    });
    shelf.setEnd(toLoadedEnd(page.data, page.has_more ? page.next : null));
  };

  const enqueue = (work: () => Promise<void>) => {
    const turn = lane.then(work, work);
    lane = turn.catch(() => {});
    return turn;
  };
  return { load: () => enqueue(load), loadMore: () => enqueue(loadMore) };
}
