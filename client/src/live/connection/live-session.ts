import { ApiError } from '../../api-error.ts';
import type { Client } from '../../client.ts';
import { CursorExpiredError, NotFoundError } from '../../generated/errors.ts';
import type { Event, Live } from '../../generated/types.ts';
import { getRetryDelay } from '../../retry-delay.ts';
import type { LiveOptions, LiveStatus, SocketConstructor } from '../live-types.ts';
import { type CancelScope, createCancelScope, toError } from './cancel-scope.ts';
import { createFeedReader, TooManyEventsError } from './feed-reader.ts';
import {
  openPushConnection,
  type PushConnection,
  SubscriptionRefusedError,
} from './push-connection.ts';
import { createPushSequencer } from './push-sequencer.ts';
import { listenForWake } from './wake-listener.ts';

/** AppSync allows so many on a connection; two hours of a hundred groups and of the caller's own feed would be more. */
const maxSubscriptions = 200;
const second = 1000;
const minute = 60 * second;
/** From so long before it ends on, the API tells the channels of the next hour as well. */
const nextHourLeadMs = 10 * minute;
/** A channel that was followed by another is left once its hour is over on any clock. */
const unsubscribeDelayMs = nextHourLeadMs + 2 * minute;
/** Of a push that was the last one nobody can know that it was lost. */
const renewIntervalMs = 15 * minute;
const minRenewDelayMs = 30 * second;
/** A push may be lost just after a subscription began. */
const firstRereadDelayMs = 5 * second;
const maxRetryDelayMs = minute;
/** Who was connected for so long was welcome: the next pause is short again. */
const stableAfterMs = minute;
/** A keep-alive comes each minute: without one for so long a page that was hidden connects again. */
const keepAliveTimeoutMs = 70 * second;
/** Without a push, whose channels would tell: the caller may be in other groups now. */
const maxPollingMs = 60 * minute;

/** The stage has no events: its API can be used, but it does not tell what happens. */
export class NoEventsError extends Error {
  constructor(cause: unknown) {
    super('This stage has no events (`events: false`): list from time to time instead.', { cause });
    this.name = 'NoEventsError';
  }
}

export interface LiveSessionOptions {
  client: Client;
  options: LiveOptions;
  apply(event: Event): void;
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  /** The API can be reached: what has failed meanwhile can be done. */
  onReachable(): void;
  onStatus(status: LiveStatus, error: Error | null): void;
  /** A token is used. */
  onToken(token: string): void;
}

export interface LiveSession {
  /** Connects again at once. */
  restart(): void;
  /**
   * What is shown is to be listed anew with the next look at where to listen: the caller may have left a group, and be in it
   * again by then, so that its feeds tell nothing of it.
   */
  requireReload(): void;
  end(): void;
}

/** Keeps what is shown up to date until it is ended. */
export function startLiveSession({
  client,
  options,
  apply,
  load,
  onReachable: reached,
  onStatus: tell,
  onToken: used,
}: LiveSessionOptions): LiveSession {
  const Socket = options.WebSocket === undefined ? getPlatformWebSocket() : options.WebSocket;
  let currentScope = createCancelScope();
  let connection: PushConnection | undefined;
  let isRefused = false;
  let needsReload = false;
  let isOver = false;
  let attempt = 0;

  /** Reads the feed; where that fails, all begins again. */
  const readFeedOrRestart = () => {
    const { cancel: stop } = currentScope;
    feed.read().then(reached, (cause) => stop(toError(cause)));
  };
  const sequencer = createPushSequencer({ apply, readFeed: readFeedOrRestart });
  const feed = createFeedReader({
    client,
    signal: () => currentScope.signal,
    onReadStart: sequencer.beginRead,
    apply: (event) => {
      sequencer.advanceTo(event.feed, event.place);
      apply(event);
    },
  });

  const fetchLive = async ({ signal }: CancelScope) => {
    try {
      return await client.live.retrieve({}, { signal });
    } catch (cause) {
      throw cause instanceof NotFoundError ? new NoEventsError(cause) : cause;
    }
  };

  const hasDifferentFeeds = ({ channels }: Live) => {
    const feeds = new Set(channels.map(({ feed: name }) => name));
    const had = sequencer.getFeeds();
    return feeds.size !== had.length || had.some((name) => !feeds.has(name));
  };

  const mustReload = (live: Live) => needsReload || hasDifferentFeeds(live);

  /** Reads on where something was missed, and goes on from now. */
  const catchUp = async ({ channels, cursor }: Live) => {
    if (channels.every(({ feed: name, place }) => sequencer.hasReached(name, place)))
      feed.start(cursor);
    else await feed.read();
  };

  /** What is shown is up to date once this is done. */
  const begin = async (at: CancelScope): Promise<Live> => {
    const live = await fetchLive(at);
    if (mustReload(live)) {
      sequencer.clear();
      feed.start(live.cursor);
      await load();
      needsReload = false;
      for (const { feed: name, place } of live.channels) sequencer.advanceTo(name, place);
    } else await catchUp(live);
    reached();
    return live;
  };

  /** Gives the channels that others have followed, and whether there was room for all. */
  const subscribe = async (to: PushConnection, { channels }: Live) => {
    const token = await client.token();
    const had = to.channels();
    const names = channels.map(({ name }) => name);
    const fresh = names.filter((name) => !had.includes(name));
    if (had.length + fresh.length > maxSubscriptions) {
      had.filter((name) => !names.includes(name)).forEach(to.unsubscribe);
    }
    const room = maxSubscriptions - to.channels().length;
    await Promise.all(fresh.slice(0, room).map((name) => to.subscribe(name, token)));
    const newest = new Set(new Map(channels.map(({ feed: of, name }) => [of, name])).values());
    return { followed: had.filter((name) => !newest.has(name)), isWhole: fresh.length <= room };
  };

  /** Looks whether there is another hour to subscribe to, whether something was missed, and whether groups have changed. */
  const renew = async (at: CancelScope, to: PushConnection) => {
    const live = await fetchLive(at);
    if (mustReload(live)) {
      at.cancel(null);
      return;
    }
    const { followed, isWhole } = await subscribe(to, live);
    at.schedule(unsubscribeDelayMs, () => followed.forEach(to.unsubscribe));
    await catchUp(live);
    reached();
    planRenewal(at, to, live, isWhole);
  };

  /** Not all listeners at once, neither of those that came together nor of the hour. */
  const planRenewal = (
    at: CancelScope,
    to: PushConnection,
    { expires_at }: Live,
    isWhole: boolean,
  ) => {
    const untilTurn = expires_at * second - Date.now() - Math.random() * nextHourLeadMs;
    const untilLook = renewIntervalMs * (0.8 + 0.4 * Math.random());
    const isSoon = !isWhole || untilTurn <= minRenewDelayMs;
    const soon = isSoon ? 4 * minRenewDelayMs : Math.min(untilTurn, untilLook);
    at.schedule(soon, () => renew(at, to));
  };

  const listen = async (at: CancelScope, live: Live, WebSocket: SocketConstructor) => {
    const token = await client.token({ fresh: isRefused });
    used(token);
    isRefused = false;
    const { url, host } = live;
    const hear = (event: Event) => sequencer.receive(event);
    const one = await openPushConnection({
      WebSocket,
      url,
      host,
      token,
      onEvent: hear,
      onMissedEvent: readFeedOrRestart,
    });
    try {
      connection = one;
      at.cancelled.then(one.close);
      const { isWhole } = await subscribe(one, live);
      await feed.read();
      reached();
      tell('live', null);
      at.schedule(firstRereadDelayMs, () => feed.read());
      at.schedule(stableAfterMs, () => {
        attempt = 0;
      });
      planRenewal(at, one, live, isWhole);
      const why = await Promise.race([at.cancelled, one.ended]);
      if (why) throw why;
    } finally {
      connection = undefined;
      one.close();
    }
  };

  const poll = async (at: CancelScope) => {
    tell('polling', null);
    attempt = 0;
    const every = options.pollEvery ?? 15 * second;
    const again = async () => {
      await feed.read();
      reached();
      at.schedule(every * (0.8 + 0.4 * Math.random()), again);
    };
    at.schedule(every, again);
    at.schedule(maxPollingMs, () => at.cancel(null));
    const why = await at.cancelled;
    if (why) throw why;
  };

  const run = async () => {
    while (!isOver) {
      const at = createCancelScope();
      currentScope = at;
      try {
        const live = await begin(at);
        if (Socket && live.url) await listen(at, live, Socket);
        else await poll(at);
      } catch (cause) {
        // A failure that the stop has made tells nothing.
        const why = at.signal.aborted ? await at.cancelled : toError(cause);
        if (why) await recover(why);
      }
      at.cancel(null);
      if (!isOver) tell('reconnecting', null);
    }
  };

  /** Waits until it is worth trying again, or until it is said. */
  const recover = async (why: Error) => {
    if (why instanceof CursorExpiredError || why instanceof TooManyEventsError) sequencer.clear();
    if (why instanceof SubscriptionRefusedError) isRefused = true;
    const waiting = createCancelScope();
    currentScope = waiting;
    tell(isPermanent(why) ? 'failed' : 'reconnecting', why);
    if (!isPermanent(why)) {
      waiting.schedule(getRetryDelay(attempt, maxRetryDelayMs, second), () => waiting.cancel(null));
      attempt += 1;
    }
    await waiting.cancelled;
  };

  const restart = () => {
    attempt = 0;
    currentScope.cancel(null);
  };
  const endWaking = listenForWake({
    onResume: restart,
    onPageVisible: () => {
      if (connection && connection.getSilenceMs() > keepAliveTimeoutMs) restart();
    },
  });
  run();
  return {
    restart,
    requireReload: () => {
      needsReload = true;
    },
    end: () => {
      isOver = true;
      endWaking();
      sequencer.clear();
      currentScope.cancel(null);
    },
  };
}

/** Statuses of requests that are right, and may succeed later. */
const retryableStatuses = [408, 409, 410, 429];

const isPermanent = (why: Error) =>
  why instanceof NoEventsError ||
  (why instanceof ApiError &&
    why.code !== 'unexpected_reply' &&
    why.status < 500 &&
    !retryableStatuses.includes(why.status));

/** Node has one from 22 on. */
const getPlatformWebSocket = (): SocketConstructor | undefined =>
  Reflect.get(globalThis, 'WebSocket');
