import type { InboxList } from '../live-context.ts';
import type { CacheUpdate } from './cached-conversation.ts';
import { hasTiedPosition, putConversation } from './conversation-cache.ts';

/** Id that stands for the whole list in the refetch queue. */
export const wholeList = 'list';

/** Returns a random delay in milliseconds, so that clients do not all fetch at the same time. */
const between = (minMs: number, maxMs: number) => minMs + Math.random() * (maxMs - minMs);

/** Schedules the retrieval of a conversation that is missing from the list. */
export const requestMissing = ({ refetches }: InboxList, id: string): void =>
  refetches.schedule(id, between(50, 150));

/** Schedules the retrieval of a conversation whose fields are uncertain. */
export const requestExact = ({ refetches }: InboxList, id: string): void =>
  refetches.schedule(id, between(2000, 4000));

/** Schedules a reload if the conversation's position in the list is uncertain. */
export function requestOrder({ cache, refetches }: InboxList, id: string): void {
  if (hasTiedPosition(cache, id)) refetches.schedule(wholeList, between(5000, 10_000));
}

/** Schedules a reload if the API's list has more conversations but no loaded one is left. */
export function requestMore({ cache, refetches }: InboxList): void {
  if (cache.end && cache.listedIds.size === 0) refetches.schedule(wholeList, between(1000, 2000));
}

/** Stores an update. If the update is not exact, schedules the conversation's retrieval. */
export function storeUpdate(list: InboxList, { state, isExact }: CacheUpdate): void {
  if (!isExact) requestExact(list, state.conversation.id);
  putConversation(list.cache, state);
}
