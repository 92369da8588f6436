import type { Live } from '../../generated/types.ts';
import { pause } from '../../requests/fetch-attempt.ts';
import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import { getRetryDelay } from '../../requests/retry-delay.ts';
import { bringUpToDate, catchUp, fetchLive, mustReload, readTwice, takeToken } from './catch-up.ts';
import { pollFeed, stopPolling } from './feed-reader.ts';
import { type PushConnection, unsubscribe } from './push-connection.ts';
import { getRenewalDelay, unsubscribeDelayMs } from './renewal.ts';
import type { Session } from './session-state.ts';
import {
  hasUnsubscribedFeed,
  type SubscriptionOutcome,
  subscribeToChannels,
} from './subscriptions.ts';

const second = 1000;
/**
 * Milliseconds between feed reads while some groups have no channel, unless `pollInterval` is
 * longer.
 */
const quietGroupsPollMs = 60 * second;
/** Maximum delay in milliseconds between a change to the user's groups and the reload. */
const maxGroupDelayMs = 30 * second;
/**
 * Number of milliseconds without a change to the user's groups after which the reload delay is
 * short again.
 */
const groupQuietMs = 60 * second;

export async function subscribeTo(
  session: Session,
  connection: PushConnection,
  { channels }: Live,
): Promise<SubscriptionOutcome> {
  const { signal } = session.scope;
  const token = await takeToken(session);
  const outcome = await subscribeToChannels(connection, channels, {
    token,
    pause: (delayMs) => pause(delayMs, signal),
  });
  if (connection.channels.size === 0 && outcome.refusal) throw outcome.refusal;
  return outcome;
}

/**
 * Reports `catching-up` if the push service refuses all channels of a feed, otherwise `live`. Polls
 * while a feed has no subscribed channel. If each feed has a subscribed channel but the reply
 * covers only some groups, polls less often.
 */
export function reportSubscriptions(
  session: Session,
  connection: PushConnection,
  { channels, is_complete }: Live,
  { refusal }: SubscriptionOutcome,
) {
  const needsPolling = hasUnsubscribedFeed(connection.channels, channels);
  if (needsPolling) pollFeed(session);
  else if (!is_complete) pollFeed(session, quietGroupsPollMs);
  else stopPolling(session);
  session.onStatus(needsPolling && refusal ? 'catching-up' : 'live', refusal);
}

/** Allows renewals, and schedules the next `GET /v1/live`. */
export function scheduleRenewal(
  session: Session,
  { live, receivedAt }: { live: Live; receivedAt: number },
  { isComplete, refusal }: SubscriptionOutcome,
) {
  session.canRenew = true;
  if (session.hasGroupChange) return scheduleRenewalIn(session, getGroupDelay(session));
  const expiresInMs = live.expires_in * second - (getMonotonicTime() - receivedAt);
  const isRefused = refusal !== undefined;
  const delayMs = getRenewalDelay({ expiresInMs, isComplete, isRefused, random: Math.random });
  scheduleRenewalIn(session, delayMs);
}

function scheduleRenewalIn(session: Session, delayMs: number) {
  session.cancelRenewal?.();
  session.cancelRenewal = session.scope.schedule(delayMs, () => renew(session));
}

/** Renews the session at once, unless a renewal is running or the connection is not set up. */
export function renewSoon(session: Session): void {
  if (session.canRenew) scheduleRenewalIn(session, 0);
}

/**
 * Subscribes to new channels, such as the next hour's channels, and loads missed events and group
 * changes.
 */
async function renew(session: Session): Promise<void> {
  const { scope, connection } = session;
  session.canRenew = false;
  const live = await fetchLive(session);
  const receivedAt = getMonotonicTime();
  if (!connection) return;
  const isReload = mustReload(session, live);
  if (isReload) await bringUpToDate(session, live);
  const outcome = await subscribeTo(session, connection, live);
  scope.schedule(unsubscribeDelayMs, () => {
    for (const name of outcome.superseded) unsubscribe(connection, name);
  });
  await (isReload ? readTwice(session) : catchUp(session, live));
  reportSubscriptions(session, connection, live, outcome);
  scheduleRenewal(session, { live, receivedAt }, outcome);
}

/** Schedules a reload of the lists and channels. Changes in quick succession share one reload. */
export function renewForGroups(session: Session): void {
  if (session.hasGroupChange) return;
  session.hasGroupChange = true;
  if (session.canRenew) scheduleRenewalIn(session, getGroupDelay(session));
  if (session.phase.name !== 'polling') return;
  const { scope } = session;
  scope.schedule(getGroupDelay(session), () => scope.cancel(null));
}

/**
 * Returns a random delay in milliseconds until the reload. The delay grows while changes continue,
 * because other users can cause any number of changes.
 */
function getGroupDelay(session: Session): number {
  const now = getMonotonicTime();
  const isQuiet = now - session.groupChangedAt > groupQuietMs;
  session.groupChanges = isQuiet ? 0 : session.groupChanges + 1;
  session.groupChangedAt = now;
  return getRetryDelay(session.groupChanges, maxGroupDelayMs);
}
