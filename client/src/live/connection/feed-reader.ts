import type { Client } from '../../client.ts';
import type { Event } from '../../generated/types.ts';

/** Maximum pages of one read. After a longer absence, listing again costs less. */
const maxPages = 10;

/** More events were missed than one read returns. */
export class TooManyEventsError extends Error {}

/** Reads the feed from a cursor. At most one read runs, and at most one waits for it. */
export interface FeedReader {
  readonly options: FeedReaderOptions;
  cursor: string;
  running?: Promise<void> | undefined;
  queued?: Promise<void> | undefined;
}

export interface FeedReaderOptions {
  client: Pick<Client, 'events'>;
  /** Returns the signal that ends the current read. */
  getSignal(): AbortSignal;
  /** Called at the start of a read. Returns the function to call when the read has reached the end. */
  onReadStart(): () => void;
  apply(event: Event): void;
}

/** Returns a reader without a cursor. */
export const createFeedReader = (options: FeedReaderOptions): FeedReader => ({
  options,
  cursor: '',
});

/**
 * Reads all events after the cursor. If a read is running, reads once more after it. Throws
 * `CursorExpiredError` or `TooManyEventsError` if the caller must list again instead.
 */
export function readFeed(reader: FeedReader): Promise<void> {
  if (reader.running) {
    const read = () => readFeed(reader);
    reader.queued ??= reader.running.then(read, read);
    return reader.queued;
  }
  reader.queued = undefined;
  reader.running = readToEnd(reader).finally(() => {
    reader.running = undefined;
  });
  return reader.running;
}

async function readToEnd(reader: FeedReader): Promise<void> {
  const { client, getSignal, onReadStart, apply } = reader.options;
  const onReadEnd = onReadStart();
  for (let pages = 0; pages < maxPages; pages += 1) {
    const params = { limit: 100, starting_after: reader.cursor };
    const page = await client.events.list(params, { signal: getSignal() }).page();
    for (const event of page.data) apply(event);
    reader.cursor = page.next?.starting_after ?? reader.cursor;
    if (!page.has_more) return onReadEnd();
  }
  throw new TooManyEventsError('More events were missed than one read returns.');
}
