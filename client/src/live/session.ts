import { ApiError } from '../api-error.ts';
import type { Client } from '../client.ts';
import { CursorExpiredError, NotFoundError } from '../generated/errors.ts';
import type { Event, Live } from '../generated/types.ts';
import { pauseAfter } from '../random.ts';
import { type Connection, connect, RefusedError } from './connection.ts';
import { feedOf, TooMuchHappenedError } from './feed.ts';
import { places } from './places.ts';
import { errorFrom, newTurn, type Turn } from './turn.ts';
import type { LiveOptions, LiveStatus, SocketConstructor } from './types.ts';
import { onWake } from './wake.ts';

/** AppSync allows so many on a connection; two hours of a hundred groups and of the caller's own feed would be more. */
const mostSubscriptions = 200;
const second = 1000;
const minute = 60 * second;
/** From so long before it ends on, the API tells the channels of the next hour as well. */
const ahead = 10 * minute;
/** A channel that was followed by another is left once its hour is over on any clock. */
const leaveAfter = ahead + 2 * minute;
/** Of a push that was the last one nobody can know that it was lost. */
const lookEvery = 15 * minute;
const lookAtEarliest = 30 * second;
/** A push may be lost just after a subscription began. */
const lookAgainAfter = 5 * second;
const longestPause = minute;
/** Who was connected for so long was welcome: the next pause is short again. */
const welcomeAfter = minute;
/** A keep-alive comes each minute: without one for so long a page that was hidden connects again. */
const silentAfter = 70 * second;
/** Without a push, whose channels would tell: the caller may be in other groups now. */
const pollFor = 60 * minute;

/** The stage has no events: its API can be used, but it does not tell what happens. */
export class NoEventsError extends Error {
  constructor(cause: unknown) {
    super('This stage has no events (`events: false`): list from time to time instead.', { cause });
    this.name = 'NoEventsError';
  }
}

export interface SessionOptions {
  client: Client;
  options: LiveOptions;
  apply(event: Event): void;
  /** Lists anew all that is shown. */
  load(): Promise<void>;
  /** The API can be reached: what has failed meanwhile can be done. */
  reached(): void;
  tell(status: LiveStatus, error: Error | null): void;
  /** A token is used. */
  used(token: string): void;
}

export interface Session {
  /** Connects again at once. */
  restart(): void;
  /**
   * What is shown is to be listed anew with the next look at where to listen: the caller may have left a group, and be in it
   * again by then, so that its feeds tell nothing of it.
   */
  doubt(): void;
  end(): void;
}

/** Keeps what is shown up to date until it is ended. */
export function startSession({
  client,
  options,
  apply,
  load,
  reached,
  tell,
  used,
}: SessionOptions): Session {
  const Socket = options.WebSocket === undefined ? platformsSocket() : options.WebSocket;
  let turn = newTurn();
  let connection: Connection | undefined;
  let isRefused = false;
  let isDoubtful = false;
  let isOver = false;
  let tries = 0;

  /** Reads the feed; where that fails, all begins again. */
  const look = () => {
    const { stop } = turn;
    feed.read().then(reached, (cause) => stop(errorFrom(cause)));
  };
  const order = places({ apply, repair: look });
  const feed = feedOf({
    client,
    signal: () => turn.signal,
    reading: order.reading,
    apply: (event) => {
      order.set(event.feed, event.place);
      apply(event);
    },
  });

  const askWhere = async ({ signal }: Turn) => {
    try {
      return await client.live.retrieve({}, { signal });
    } catch (cause) {
      throw cause instanceof NotFoundError ? new NoEventsError(cause) : cause;
    }
  };

  const isOfOtherFeeds = ({ channels }: Live) => {
    const feeds = new Set(channels.map(({ feed: name }) => name));
    const had = order.feeds();
    return feeds.size !== had.length || had.some((name) => !feeds.has(name));
  };

  const isToBeListed = (live: Live) => isDoubtful || isOfOtherFeeds(live);

  /** Reads on where something was missed, and goes on from now. */
  const readOn = async ({ channels, cursor }: Live) => {
    if (channels.every(({ feed: name, place }) => order.has(name, place))) feed.start(cursor);
    else await feed.read();
  };

  /** What is shown is up to date once this is done. */
  const begin = async (at: Turn): Promise<Live> => {
    const live = await askWhere(at);
    if (isToBeListed(live)) {
      order.clear();
      feed.start(live.cursor);
      await load();
      isDoubtful = false;
      for (const { feed: name, place } of live.channels) order.set(name, place);
    } else await readOn(live);
    reached();
    return live;
  };

  /** Gives the channels that others have followed, and whether there was room for all. */
  const subscribe = async (to: Connection, { channels }: Live) => {
    const token = await client.token();
    const had = to.channels();
    const names = channels.map(({ name }) => name);
    const fresh = names.filter((name) => !had.includes(name));
    if (had.length + fresh.length > mostSubscriptions) {
      had.filter((name) => !names.includes(name)).forEach(to.unsubscribe);
    }
    const room = mostSubscriptions - to.channels().length;
    await Promise.all(fresh.slice(0, room).map((name) => to.subscribe(name, token)));
    const newest = new Set(new Map(channels.map(({ feed: of, name }) => [of, name])).values());
    return { followed: had.filter((name) => !newest.has(name)), isWhole: fresh.length <= room };
  };

  /** Looks whether there is another hour to subscribe to, whether something was missed, and whether groups have changed. */
  const renew = async (at: Turn, to: Connection) => {
    const live = await askWhere(at);
    if (isToBeListed(live)) {
      at.stop(null);
      return;
    }
    const { followed, isWhole } = await subscribe(to, live);
    at.after(leaveAfter, () => followed.forEach(to.unsubscribe));
    await readOn(live);
    reached();
    planRenewal(at, to, live, isWhole);
  };

  /** Not all listeners at once, neither of those that came together nor of the hour. */
  const planRenewal = (at: Turn, to: Connection, { expires_at }: Live, isWhole: boolean) => {
    const untilTurn = expires_at * second - Date.now() - Math.random() * ahead;
    const untilLook = lookEvery * (0.8 + 0.4 * Math.random());
    const isSoon = !isWhole || untilTurn <= lookAtEarliest;
    const soon = isSoon ? 4 * lookAtEarliest : Math.min(untilTurn, untilLook);
    at.after(soon, () => renew(at, to));
  };

  const listen = async (at: Turn, live: Live, WebSocket: SocketConstructor) => {
    const token = await client.token({ fresh: isRefused });
    used(token);
    isRefused = false;
    const { url, host } = live;
    const hear = (event: Event) => order.hear(event);
    const one = await connect({ WebSocket, url, host, token, hear, missed: look });
    try {
      connection = one;
      at.stopped.then(one.close);
      const { isWhole } = await subscribe(one, live);
      await feed.read();
      reached();
      tell('live', null);
      at.after(lookAgainAfter, () => feed.read());
      at.after(welcomeAfter, () => {
        tries = 0;
      });
      planRenewal(at, one, live, isWhole);
      const why = await Promise.race([at.stopped, one.ended]);
      if (why) throw why;
    } finally {
      connection = undefined;
      one.close();
    }
  };

  const poll = async (at: Turn) => {
    tell('polling', null);
    tries = 0;
    const every = options.pollEvery ?? 15 * second;
    const again = async () => {
      await feed.read();
      reached();
      at.after(every * (0.8 + 0.4 * Math.random()), again);
    };
    at.after(every, again);
    at.after(pollFor, () => at.stop(null));
    const why = await at.stopped;
    if (why) throw why;
  };

  const run = async () => {
    while (!isOver) {
      const at = newTurn();
      turn = at;
      try {
        const live = await begin(at);
        if (Socket && live.url) await listen(at, live, Socket);
        else await poll(at);
      } catch (cause) {
        // A failure that the stop has made tells nothing.
        const why = at.signal.aborted ? await at.stopped : errorFrom(cause);
        if (why) await recover(why);
      }
      at.stop(null);
      if (!isOver) tell('reconnecting', null);
    }
  };

  /** Waits until it is worth trying again, or until it is said. */
  const recover = async (why: Error) => {
    if (why instanceof CursorExpiredError || why instanceof TooMuchHappenedError) order.clear();
    if (why instanceof RefusedError) isRefused = true;
    const waiting = newTurn();
    turn = waiting;
    tell(isHopeless(why) ? 'failed' : 'reconnecting', why);
    if (!isHopeless(why)) {
      waiting.after(pauseAfter(tries, longestPause, second), () => waiting.stop(null));
      tries += 1;
    }
    await waiting.stopped;
  };

  const restart = () => {
    tries = 0;
    turn.stop(null);
  };
  const endWaking = onWake({
    wake: restart,
    shown: () => {
      if (connection && connection.silentFor() > silentAfter) restart();
    },
  });
  run();
  return {
    restart,
    doubt: () => {
      isDoubtful = true;
    },
    end: () => {
      isOver = true;
      endWaking();
      order.clear();
      turn.stop(null);
    },
  };
}

/** Statuses of requests that are right, and may succeed later. */
const passing = [408, 409, 410, 429];

const isHopeless = (why: Error) =>
  why instanceof NoEventsError ||
  (why instanceof ApiError &&
    why.code !== 'unexpected_reply' &&
    why.status < 500 &&
    !passing.includes(why.status));

/** Node has one from 22 on. */
const platformsSocket = (): SocketConstructor | undefined => Reflect.get(globalThis, 'WebSocket');
