import type { Client } from '../client.ts';
import type { Conversation } from '../generated/types.ts';
import type { Page } from '../list.ts';
import { type Next, told } from './held.ts';
import type { Knowledge } from './knowledge.ts';
import type { End, Shelf } from './shelf.ts';
import type { LiveOptions } from './types.ts';

/** The pages of the list, one request after the other. */
export interface Pages {
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  /** Lists what comes below it. */
  loadMore(): Promise<void>;
}

export interface PagesOptions {
  client: Pick<Client, 'conversations'>;
  /** Of the list, with the size of a page. */
  params: NonNullable<LiveOptions['conversations']> & { limit: number };
  /** How many to list anew at most. */
  most: number;
  know: Knowledge;
  shelf: Shelf;
  signal: AbortSignal;
  keep(next: Next): void;
  /** What is open is not in the list, as it seems. */
  missing(conversationId: string): void;
  /** What was listed is so no more, and nothing told why. */
  strayed(): void;
  /** It keeps the place that it had before it was listed. */
  moved(conversationId: string): void;
}

type Cursor = Page<Conversation>['next'];

export function pagesOf(given: PagesOptions): Pages {
  const { client, params, most, know, shelf, signal, keep, missing, strayed, moved } = given;
  const { limit } = params;
  let lane: Promise<void> = Promise.resolve();

  const ask = (at: Cursor, size: number) =>
    client.conversations
      .list({ ...params, limit: Math.min(100, size) }, { signal })
      .page(at ?? undefined);

  const endOf = (data: readonly Conversation[], next: Cursor): End | undefined => {
    const last = data.at(-1);
    return next && last ? { last, next } : undefined;
  };

  const load = async () => {
    const since = know.now();
    const wanted = Math.max(limit, Math.min(most, shelf.listed().length));
    const data: Conversation[] = [];
    let next: Cursor = null;
    do {
      const page: Page<Conversation> = await ask(next, wanted - data.length);
      data.push(...page.data);
      next = page.has_more ? page.next : null;
    } while (next && data.length < wanted);
    const ids = new Set(data.map(({ id }) => id));
    // What was heard meanwhile the list may not have.
    const isHeard = (id: string) => know.isOlder(id, since) || (shelf.get(id)?.asOf ?? 0) > since;
    const overtaken: string[] = [];
    for (const { conversation } of shelf.listed()) {
      const { id } = conversation;
      if (ids.has(id)) continue;
      if (isHeard(id)) overtaken.push(id);
      else if (shelf.isOpen(id)) missing(id);
      else {
        shelf.forget(id);
        strayed();
      }
    }
    shelf.endAt(undefined);
    data.forEach((one, place) => {
      if (know.isGone(one.id)) return;
      const had = shelf.get(one.id);
      const isOvertaken = had !== undefined && had.asOf > since;
      keep(told(had, one, { know, since, rank: isOvertaken ? had.rank : place }));
      if (isOvertaken) overtaken.push(one.id);
    });
    shelf.endAt(endOf(data, next));
    overtaken.forEach(moved);
  };

  const loadMore = async () => {
    const end = shelf.end();
    if (!end) return;
    const lowest = shelf.listed().at(-1);
    const from = end.next ?? (lowest ? { starting_after: lowest.conversation.id } : null);
    const since = know.now();
    shelf.makeRoom(limit);
    const page = await ask(from, limit);
    const lowestRank = Math.max(0, ...shelf.listed().map(({ rank }) => rank));
    shelf.endAt(undefined);
    page.data.forEach((one, place) => {
      if (know.isGone(one.id)) return;
      const had = shelf.get(one.id);
      keep(told(had, one, { know, since, rank: had?.rank ?? lowestRank + 1 + place }));
    });
    shelf.endAt(endOf(page.data, page.has_more ? page.next : null));
  };

  const inTurn = (work: () => Promise<void>) => {
    const turn = lane.then(work, work);
    lane = turn.catch(() => {});
    return turn;
  };
  return { load: () => inTurn(load), loadMore: () => inTurn(loadMore) };
}
