import type { Caller } from '../caller.ts';
import { getInboxes, type Inbox, toFeedName } from '../inbox.ts';

/**
 * Push channels are named `/inbox/<feed>/<hour>`. AppSync cannot end a subscription, so the right
 * to listen expires by itself: a channel is used for one hour, and a listener subscribes to the
 * next one with a token valid then.
 */
export const channelNamespace = 'inbox';

const hour = 3600;
/** Seconds before the end of an hour from which the next hour may be subscribed to … */
const earliestSubscription = 600;
/**
 * … and is also published to, for listeners whose clock is fast and who have left the current
 * channel.
 */
const doublePublishing = 90;

/** Hour number: Unix seconds divided by 3600. */
const hourOf = (seconds: number): number => Math.floor(seconds / hour);
const startOf = (hourNumber: number): number => hourNumber * hour;
const untilTurn = (seconds: number): number => startOf(hourOf(seconds) + 1) - seconds;

const channelName = (feed: string, hourNumber: number) =>
  `/${channelNamespace}/${feed}/${hourNumber}`;

/**
 * Returns the channels to publish an inbox's events to at that time (Unix seconds): one, or two
 * shortly before the end of an hour.
 */
export function channelsToPublishOn(inbox: Inbox, seconds: number): string[] {
  const present = hourOf(seconds);
  const hours = untilTurn(seconds) <= doublePublishing ? [present, present + 1] : [present];
  return hours.map((one) => channelName(toFeedName(inbox), one));
}

/** The caller of a subscription. */
export type Listener = Pick<Caller, 'id' | 'groups' | 'tokenEndsAt'>;

/**
 * Returns the hours that may be subscribed to at that time (Unix seconds); none after the token has
 * expired.
 */
const hoursFor = ({ tokenEndsAt }: Listener, seconds: number): number[] => {
  const present = hourOf(seconds);
  const hours = untilTurn(seconds) <= earliestSubscription ? [present, present + 1] : [present];
  return hours.filter((one) => Math.max(startOf(one), seconds) < tokenEndsAt);
};

export interface Channels {
  /** A channel to subscribe to, and its feed. */
  channels: { name: string; feed: string }[];
  /** When publishing to the last channel ends, in Unix seconds. */
  expires_at: number;
}

/**
 * Returns all channels a caller may subscribe to at that time (Unix seconds): one per inbox and, in
 * the last ten minutes of an hour, the next hour's, if the token is valid then.
 */
export function channelsFor(listener: Listener, seconds: number): Channels {
  const hours = hoursFor(listener, seconds);
  const feeds = getInboxes(listener).map(toFeedName);
  return {
    channels: hours.flatMap((one) => feeds.map((feed) => ({ name: channelName(feed, one), feed }))),
    expires_at: startOf(Math.max(hourOf(seconds), ...hours) + 1),
  };
}

/**
 * Reports whether a caller may subscribe to a channel at that time (Unix seconds): that of one of
 * their inboxes, for an hour that has started or starts within ten minutes and in which the token
 * is valid. Wildcards are refused.
 */
export const maySubscribe = (channel: string, listener: Listener, seconds: number): boolean =>
  channelsFor(listener, seconds).channels.some(({ name }) => name === channel);
