import type { Caller } from '../caller.ts';
import { userGroupPrefix } from '../contract/schema/field-types.ts';
import { isUserGroup } from '../ids.ts';
import { getInboxes, type Inbox, toFeedName } from '../inbox.ts';

/**
 * Push channels are named `/inbox/<feed>/<hour>`, and `/inbox/<feed>/<hour>/<group>` for a user
 * group, so that its membership can be read by key. AppSync cannot end a subscription, so a channel
 * is used for one hour, and a listener needs a valid token and the membership for the next one.
 */
export const channelNamespace = 'inbox';

const hourSeconds = 3600;
/** Seconds before an hour from which clients may subscribe to its channel. */
const earlySubscriptionSeconds = 600;
/**
 * Seconds before an hour from which events are also published to its channel, for listeners with a
 * fast clock that have left the current channel.
 */
const doublePublishingSeconds = 90;

/** Returns the hour number: Unix seconds divided by 3,600, rounded down. */
const toHourNumber = (seconds: number): number => Math.floor(seconds / hourSeconds);
const getHourStart = (hourNumber: number): number => hourNumber * hourSeconds;

/** Returns the current hour and, within the given seconds before it, the next one. */
function getHours(seconds: number, secondsBefore: number): number[] {
  const current = toHourNumber(seconds);
  return getHourStart(current + 1) - seconds <= secondsBefore ? [current, current + 1] : [current];
}

function toChannelName(inbox: Inbox, hourNumber: number): string {
  const name = `/${channelNamespace}/${toFeedName(inbox)}/${hourNumber}`;
  // AppSync allows no underscore, which the prefix contains.
  return inbox.kind === 'group' && isUserGroup(inbox.id)
    ? `${name}/${inbox.id.slice(userGroupPrefix.length)}`
    : name;
}

const userGroupChannel = new RegExp(`^/${channelNamespace}/[^/]+/[^/]+/([^/]+)$`);

/** Returns the user group of a channel; `undefined` for other channels. */
export function getUserGroup(channel: string): string | undefined {
  const [, id] = userGroupChannel.exec(channel) ?? [];
  return id && userGroupPrefix + id;
}

/** Returns one channel to publish an inbox's events to, or two shortly before the hour's end. */
export function getPublishChannels(inbox: Inbox, seconds: number): string[] {
  const hours = getHours(seconds, doublePublishingSeconds);
  return hours.map((one) => toChannelName(inbox, one));
}

export type Listener = Pick<Caller, 'id' | 'groups' | 'tokenExpiresAt'>;

/**
 * Returns the hours whose channels a listener may subscribe to; none after the token has expired.
 */
const getSubscribableHours = ({ tokenExpiresAt }: Listener, seconds: number): number[] => {
  const hours = getHours(seconds, earlySubscriptionSeconds);
  return hours.filter((one) => Math.max(getHourStart(one), seconds) < tokenExpiresAt);
};

export interface Channels {
  /** A channel to subscribe to, its feed, and its group unless the feed is the caller's own. */
  channels: { name: string; feed: string; group_id: string | null }[];
  /** When publishing to the last channel ends, in Unix seconds. */
  expires_at: number;
}

/** Returns the channels a caller may subscribe to: one per inbox and subscribable hour. */
export function getSubscribableChannels(listener: Listener, seconds: number): Channels {
  const hours = getSubscribableHours(listener, seconds);
  const inboxes = getInboxes(listener);
  return {
    channels: hours.flatMap((one) =>
      inboxes.map((inbox) => ({
        name: toChannelName(inbox, one),
        feed: toFeedName(inbox),
        group_id: inbox.kind === 'group' ? inbox.id : null,
      })),
    ),
    expires_at: getHourStart(Math.max(toHourNumber(seconds), ...hours) + 1),
  };
}

/** Reports whether a caller may subscribe to a channel now. Wildcards are refused. */
export const canSubscribe = (channel: string, listener: Listener, seconds: number): boolean =>
  getSubscribableChannels(listener, seconds).channels.some(({ name }) => name === channel);
