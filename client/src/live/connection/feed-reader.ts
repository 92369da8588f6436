import { advanceTo, beginRead } from './push-sequencer.ts';
import type { Session } from './session-state.ts';

const defaultPollIntervalMs = 15_000;
/**
 * Maximum number of pages per read. If the missed events need more pages, reloading costs less than
 * reading the events.
 */
const maxPages = 10;

/** More events were missed than one read returns. */
export class TooManyEventsError extends Error {}

/**
 * Reads and applies all events after the cursor. If a read is in progress, queues one more read,
 * which all callers share. Throws `CursorExpiredError` or `TooManyEventsError` if the caller must
 * reload the lists instead.
 */
export function readFeed(session: Session): Promise<void> {
  const { reads } = session;
  const read = () => {
    reads.queued = undefined;
    reads.last = readToEnd(session);
    return reads.last;
  };
  reads.queued ??= reads.last.then(read, read);
  return reads.queued;
}

/** Reads the feed at intervals until the phase ends or `stopPolling` is called. */
export function pollFeed(session: Session, minIntervalMs = 0): void {
  const { scope, options } = session;
  const interval = Math.max(minIntervalMs, options.pollInterval ?? defaultPollIntervalMs);
  stopPolling(session);
  const cancel = scope.schedule(interval * (0.8 + 0.4 * Math.random()), async () => {
    await readFeed(session);
    // Another call may have stopped or restarted the polling during the read.
    if (session.cancelPoll === cancel) pollFeed(session, minIntervalMs);
  });
  session.cancelPoll = cancel;
}

export function stopPolling(session: Session): void {
  session.cancelPoll?.();
  session.cancelPoll = undefined;
}

async function readToEnd(session: Session): Promise<void> {
  const { client, scope, sequencer } = session;
  const onReadEnd = beginRead(sequencer);
  for (let pages = 0; pages < maxPages; pages += 1) {
    const params = { limit: 100, starting_after: session.cursor };
    const page = await client.events.list(params, { signal: scope.signal }).page();
    for (const event of page.data) {
      advanceTo(sequencer, event.feed, event.place);
      session.apply(event);
    }
    session.cursor = page.next?.starting_after ?? session.cursor;
    if (page.has_more) continue;
    onReadEnd();
    return session.onReachable();
  }
  throw new TooManyEventsError('Too many events were missed.');
}
