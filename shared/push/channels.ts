import type { Caller } from '../caller.ts';
import { feedName, type Inbox, ownInboxes } from '../inbox.ts';

/**
 * The channels that pushes are published on: `/inbox/<feed>/<hour>`. The service that fans them out cannot cut a listener
 * off, so that a right to listen has to end by itself: a channel is used for one hour, and whoever wants to hear the next
 * hour subscribes anew, with a token that is good then.
 */
export const channelNamespace = 'inbox';

const hour = 3600;
/** Seconds before the turn of the hour from which on the next hour may be subscribed to … */
const earliestSubscription = 600;
/** … and is published on too, for listeners whose clock is fast and who have left the present one already. */
const doublePublishing = 90;

/** An hour by its number: Unix seconds by 3600. */
const hourOf = (seconds: number): number => Math.floor(seconds / hour);
const startOf = (hourNumber: number): number => hourNumber * hour;
const untilTurn = (seconds: number): number => startOf(hourOf(seconds) + 1) - seconds;

const channelName = (feed: string, hourNumber: number) =>
  `/${channelNamespace}/${feed}/${hourNumber}`;

/** Where what happens in the inbox at that time (Unix seconds) is published: one channel, or two shortly before a turn. */
export function channelsToPublishOn(inbox: Inbox, seconds: number): string[] {
  const present = hourOf(seconds);
  const hours = untilTurn(seconds) <= doublePublishing ? [present, present + 1] : [present];
  return hours.map((one) => channelName(feedName(inbox), one));
}

/** Who wants to listen. */
export type Listener = Pick<Caller, 'id' | 'groups' | 'tokenEndsAt'>;

/** The hours for which somebody may subscribe at that time (Unix seconds); none once the token's time is over. */
const hoursFor = ({ tokenEndsAt }: Listener, seconds: number): number[] => {
  const present = hourOf(seconds);
  const hours = untilTurn(seconds) <= earliestSubscription ? [present, present + 1] : [present];
  return hours.filter((one) => Math.max(startOf(one), seconds) < tokenEndsAt);
};

export interface Channels {
  /** What to subscribe to, and the feed that it tells of. */
  channels: { name: string; feed: string }[];
  /** When nothing more is published on the last of them, in Unix seconds. */
  expires_at: number;
}

/**
 * All that somebody may subscribe to at that time (Unix seconds): a channel for each inbox, and in the last ten minutes of
 * an hour one more for each, of the next hour, if the token is good then.
 */
export function channelsFor(listener: Listener, seconds: number): Channels {
  const hours = hoursFor(listener, seconds);
  const feeds = ownInboxes(listener).map(feedName);
  return {
    channels: hours.flatMap((one) => feeds.map((feed) => ({ name: channelName(feed, one), feed }))),
    expires_at: startOf(Math.max(hourOf(seconds), ...hours) + 1),
  };
}

/**
 * Whether somebody may subscribe to a channel at that time (Unix seconds): that of an inbox of theirs, of an hour that has
 * begun or begins within ten minutes, with a token that is good in it. A wildcard is no channel of anybody's.
 */
export const maySubscribe = (channel: string, listener: Listener, seconds: number): boolean =>
  channelsFor(listener, seconds).channels.some(({ name }) => name === channel);
