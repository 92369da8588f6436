import type { Live } from '../../generated/types.ts';
import { getRetryDelay } from '../../requests/retry-delay.ts';
import { type PushConnection, PushError, subscribe, unsubscribe } from './push-connection.ts';

/**
 * Maximum number of subscriptions per AppSync connection. The user and 100 groups have 101 channels
 * per hour, so the channels of two hours exceed this limit.
 */
const maxSubscriptions = 200;
/** Number of subscriptions to request at a time. AppSync refuses bursts of hundreds of requests. */
const batchSize = 15;
/**
 * Maximum number of batches in which AppSync refuses a channel because of a limit. After these
 * batches, the remaining channels count as refused.
 */
const maxAttempts = 6;
const maxBackoffMs = 30_000;

type Channel = Live['channels'][number];

export interface SubscriptionPlan {
  readonly add: readonly string[];
  /** Channels to unsubscribe from first, to make room. */
  readonly removeFirst: readonly string[];
  /** Older hourly channels, to unsubscribe from after their hours have ended. */
  readonly superseded: readonly string[];
  /** Whether `add` contains all missing channels. */
  readonly isComplete: boolean;
}

/** Returns the changes from the current to the wanted subscriptions, within AppSync's limit. */
export function planSubscriptions(
  current: readonly string[],
  channels: readonly Channel[],
): SubscriptionPlan {
  const names = channels.map(({ name }) => name);
  const missing = names.filter((name) => !current.includes(name));
  const isTight = current.length + missing.length > maxSubscriptions;
  const removeFirst = isTight ? current.filter((name) => !names.includes(name)) : [];
  const room = maxSubscriptions - current.length + removeFirst.length;
  // A feed's last channel is the one for the latest hour.
  const newest = new Set(new Map(channels.map(({ feed, name }) => [feed, name])).values());
  return {
    add: missing.slice(0, room),
    removeFirst,
    superseded: current.filter((name) => !newest.has(name)),
    isComplete: missing.length <= room,
  };
}

/** Reports whether at least one feed has no subscribed channel. */
export const hasUnsubscribedFeed = (
  subscribed: ReadonlyMap<string, string>,
  channels: readonly Channel[],
): boolean =>
  channels.some(
    ({ feed }) => !channels.some((other) => other.feed === feed && subscribed.has(other.name)),
  );

export interface SubscriptionOutcome extends Pick<SubscriptionPlan, 'superseded' | 'isComplete'> {
  /** The last refusal; undefined if all requested channels are subscribed. */
  readonly refusal: PushError | undefined;
}

export interface SubscribeOptions {
  token: string;
  /** Waits before the next attempt. Rejects if the session no longer needs the connection. */
  pause(delayMs: number): Promise<void>;
}

/**
 * Subscribes in batches, and retries channels that exceeded a limit. First unsubscribes from old
 * channels if the connection would exceed the maximum number of subscriptions. Throws only if the
 * connection ends or `pause` rejects, not if the push service refuses a channel.
 */
export async function subscribeToChannels(
  connection: PushConnection,
  channels: readonly Channel[],
  { token, pause }: SubscribeOptions,
): Promise<SubscriptionOutcome> {
  const { add, removeFirst, ...plan } = planSubscriptions(
    [...connection.channels.keys()],
    channels,
  );
  for (const name of removeFirst) unsubscribe(connection, name);
  const queue = [...add];
  let refusal: PushError | undefined;
  for (let attempts = 0; queue.length > 0 && attempts < maxAttempts; ) {
    const limited: string[] = [];
    const requestOne = async (name: string) => {
      try {
        await subscribe(connection, name, token);
      } catch (error) {
        if (connection.endReason || !(error instanceof PushError)) throw error;
        refusal = error;
        if (error.reason === 'limit') limited.push(name);
      }
    };
    await Promise.all(queue.splice(0, batchSize).map(requestOne));
    if (limited.length === 0) continue;
    queue.unshift(...limited);
    attempts += 1;
    await pause(1000 + getRetryDelay(attempts, maxBackoffMs, 1000));
  }
  if (add.every((name) => connection.channels.has(name))) refusal = undefined;
  return { ...plan, refusal };
}
