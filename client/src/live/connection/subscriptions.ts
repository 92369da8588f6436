import type { Live } from '../../generated/types.ts';
import { getRetryDelay } from '../../retry-delay.ts';
import { type PushConnection, PushError, subscribe, unsubscribe } from './push-connection.ts';

/** AppSync's maximum of subscriptions per connection, too few for two hours of 100 groups. */
const maxSubscriptions = 200;
/** Number of subscriptions to request at a time: AppSync refuses a burst of hundreds. */
const batchSize = 15;
/** Number of attempts per channel before it counts as refused. */
const maxAttempts = 6;
const maxBackoffMs = 30_000;

type Channel = Live['channels'][number];

export interface SubscriptionPlan {
  /** Channels to subscribe to. */
  readonly add: readonly string[];
  /** Channels to leave before, to make room. */
  readonly removeFirst: readonly string[];
  /** Channels to leave once their hour has ended. */
  readonly superseded: readonly string[];
  /** Whether `add` contains all wanted channels. */
  readonly isComplete: boolean;
}

/** Returns what to change so that the connection receives the wanted channels. */
export function planSubscriptions(
  current: readonly string[],
  wanted: readonly Channel[],
): SubscriptionPlan {
  const names = wanted.map(({ name }) => name);
  const missing = names.filter((name) => !current.includes(name));
  const isTight = current.length + missing.length > maxSubscriptions;
  const removeFirst = isTight ? current.filter((name) => !names.includes(name)) : [];
  const room = maxSubscriptions - current.length + removeFirst.length;
  // The last channel of a feed is that of the latest hour.
  const newest = new Set(new Map(wanted.map(({ feed, name }) => [feed, name])).values());
  return {
    add: missing.slice(0, room),
    removeFirst,
    superseded: current.filter((name) => !newest.has(name)),
    isComplete: missing.length <= room,
  };
}

/** Returns the feeds that no subscribed channel delivers. */
export function getDeafFeeds(subscribed: ReadonlySet<string>, wanted: readonly Channel[]): string[] {
  const feeds = new Set(wanted.map(({ feed }) => feed));
  for (const { feed, name } of wanted) if (subscribed.has(name)) feeds.delete(feed);
  return [...feeds];
}

export interface SubscriptionOutcome extends Pick<SubscriptionPlan, 'superseded' | 'isComplete'> {
  /** The last refusal of a channel. */
  readonly refusal: PushError | undefined;
}

export interface SubscribeOptions {
  token: string;
  /** Waits before the next attempt; rejects if the connection is no longer wanted. */
  pause(delayMs: number): Promise<void>;
}

/** Subscribes in batches. Throws only if the connection ends; a refused channel does not end it. */
export async function subscribeToChannels(
  connection: PushConnection,
  wanted: readonly Channel[],
  { token, pause }: SubscribeOptions,
): Promise<SubscriptionOutcome> {
  const plan = planSubscriptions([...connection.channels.keys()], wanted);
  for (const name of plan.removeFirst) unsubscribe(connection, name);
  const refused = { error: undefined as PushError | undefined };
  let queue = plan.add.map((name) => ({ name, attempts: 0 }));
  while (queue.length > 0) {
    const batch = queue.slice(0, batchSize);
    const limited: typeof queue = [];
    await Promise.all(
      batch.map(async ({ name, attempts }) => {
        try {
          await subscribe(connection, name, token);
        } catch (error) {
          if (connection.endReason || !(error instanceof PushError)) throw error;
          refused.error = error;
          if (error.reason === 'limit' && attempts + 1 < maxAttempts)
            limited.push({ name, attempts: attempts + 1 });
        }
      }),
    );
    queue = [...limited, ...queue.slice(batchSize)];
    const [first] = limited;
    if (first) await pause(1000 + getRetryDelay(first.attempts, maxBackoffMs, 1000));
  }
  return { superseded: plan.superseded, isComplete: plan.isComplete, refusal: refused.error };
}
