import type { Caller } from '../caller.ts';
import { userGroupPrefix } from '../contract/schema/field-types.ts';
import { isUserGroup } from '../ids.ts';
import { getInboxes, type Inbox, toFeedName } from '../inbox.ts';

/**
 * Push channels are named `/inbox/<feed>/<hour>` or, for a user group,
 * `/inbox/<feed>/<hour>/<group>`, so that the authorizer can read the membership by key. AppSync
 * cannot end a subscription. Therefore, each hour has its own channel. To subscribe to the next
 * hour's channel, a listener needs a valid token and the membership.
 */
export const channelNamespace = 'inbox';

const hourSeconds = 3600;
/** Clients may subscribe to an hour's channel from this many seconds before the hour starts. */
const earlySubscriptionSeconds = 600;
/**
 * For this many seconds before an hour starts, events are also published to that hour's channel. A
 * listener with a fast clock may already have left the previous channel.
 */
const doublePublishingSeconds = 90;

const toHourNumber = (seconds: number): number => Math.floor(seconds / hourSeconds);
const getHourStart = (hourNumber: number): number => hourNumber * hourSeconds;

/** Returns the current hour, and the next hour if it starts within `secondsBefore` seconds. */
function getHours(seconds: number, secondsBefore: number): number[] {
  const current = toHourNumber(seconds);
  return getHourStart(current + 1) - seconds <= secondsBefore ? [current, current + 1] : [current];
}

function toChannelName(inbox: Inbox, hourNumber: number): string {
  const name = `/${channelNamespace}/${toFeedName(inbox)}/${hourNumber}`;
  // Omits the prefix, because AppSync does not allow its underscore.
  return inbox.kind === 'group' && isUserGroup(inbox.id)
    ? `${name}/${inbox.id.slice(userGroupPrefix.length)}`
    : name;
}

const userGroupChannel = new RegExp(`^/${channelNamespace}/[^/]+/[^/]+/([^/]+)$`);

/** Returns the user group of a channel; `undefined` if it has none. */
export function getUserGroup(channel: string): string | undefined {
  const [, id] = userGroupChannel.exec(channel) ?? [];
  return id && userGroupPrefix + id;
}

/**
 * Returns the channels to publish an inbox's events to. Shortly before an hour ends, also returns
 * the channel of the next hour.
 */
export function getPublishChannels(inbox: Inbox, seconds: number): string[] {
  const hours = getHours(seconds, doublePublishingSeconds);
  return hours.map((one) => toChannelName(inbox, one));
}

export type Listener = Pick<Caller, 'id' | 'groups' | 'tokenExpiresAt'>;

/**
 * Returns the hours whose channels a listener may subscribe to. If the token has expired, returns
 * an empty array.
 */
const getSubscribableHours = ({ tokenExpiresAt }: Listener, seconds: number): number[] => {
  const hours = getHours(seconds, earlySubscriptionSeconds);
  return hours.filter((one) => Math.max(getHourStart(one), seconds) < tokenExpiresAt);
};

export interface Channels {
  /** Channels to subscribe to. `group_id` is null for channels of the caller's own feed. */
  channels: { name: string; feed: string; group_id: string | null }[];
  /** Unix seconds at which publishing to the last of these channels ends. */
  expires_at: number;
}

/** Returns the channels that a caller may subscribe to, one per inbox and subscribable hour. */
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

/** Reports whether a caller may subscribe to a channel now. Rejects wildcards. */
export const canSubscribe = (channel: string, listener: Listener, seconds: number): boolean =>
  getSubscribableChannels(listener, seconds).channels.some(({ name }) => name === channel);
