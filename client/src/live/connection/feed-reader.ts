import type { Client } from '../../client.ts';
import type { Event } from '../../generated/types.ts';

/** So many pages are read at once: whoever was away for longer lists anew, which costs less. */
const maxPages = 10;

/** More has happened than is worth reading. */
export class TooManyEventsError extends Error {}

export interface FeedReader {
  /** Goes on from that cursor. */
  start(cursor: string): void;
  /**
   * Reads what has happened since, to the end; one reading at a time, and one more where it is asked for meanwhile. Throws
   * CursorExpiredError or TooMuchHappenedError where it is better to list anew.
   */
  read(): Promise<void>;
}

export interface FeedReaderOptions {
  client: Pick<Client, 'events'>;
  /** Ends what is read now. */
  signal(): AbortSignal;
  /** Reading begins; what it gives is called at the end. */
  onReadStart(): () => void;
  apply(event: Event): void;
}

export function createFeedReader({
  client,
  signal,
  onReadStart: reading,
  apply,
}: FeedReaderOptions): FeedReader {
  let cursor = '';
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const readToEnd = async () => {
    const done = reading();
    for (let pages = 0; pages < maxPages; pages += 1) {
      const list = client.events.list({ limit: 100, starting_after: cursor }, { signal: signal() });
      const page = await list.page();
      for (const event of page.data) apply(event);
      cursor = page.next?.starting_after ?? cursor;
      if (page.has_more) continue;
      done();
      return;
    }
    throw new TooManyEventsError();
  };

  const read = (): Promise<void> => {
    if (running) {
      next ??= running.then(read, read);
      return next;
    }
    next = undefined;
    running = readToEnd().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    start: (from) => {
      cursor = from;
    },
    read,
  };
}
