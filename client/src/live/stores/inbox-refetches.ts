import type { InboxList } from '../live-context.ts';
import type { CacheUpdate } from './cached-conversation.ts';
import { hasTiedPosition, putConversation } from './conversation-cache.ts';

/** Name in the refetch queue of the whole list, whose order is uncertain. */
export const wholeList = 'list';

/** Returns a random delay, so that clients do not fetch at the same moment. */
const between = (minMs: number, maxMs: number) => minMs + Math.random() * (maxMs - minMs);

/** Retrieves a conversation that is not shown. */
export const requestMissing = ({ refetches }: InboxList, id: string): void =>
  refetches.schedule(id, between(50, 150));

/** Retrieves a conversation whose fields are uncertain. */
export const requestExact = ({ refetches }: InboxList, id: string): void =>
  refetches.schedule(id, between(2000, 4000));

/** Loads the list again if it may order the conversation differently. */
export function requestOrder({ cache, refetches }: InboxList, id: string): void {
  if (hasTiedPosition(cache, id)) refetches.schedule(wholeList, between(5000, 10_000));
}

/** Loads the list again if all of its loaded part is gone, and it has more. */
export function requestMore({ cache, refetches }: InboxList): void {
  if (cache.end && cache.listedIds.size === 0) refetches.schedule(wholeList, between(1000, 2000));
}

/** Stores an update, and retrieves the conversation if the update is not exact. */
export function storeUpdate(list: InboxList, { one, isExact }: CacheUpdate): void {
  if (!isExact) requestExact(list, one.conversation.id);
  putConversation(list.cache, one);
}
