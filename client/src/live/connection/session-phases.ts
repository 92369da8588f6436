import { hasCode } from '../../api-error.ts';
import type { Live } from '../../generated/types.ts';
import { pause } from '../../requests/fetch-attempt.ts';
import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import type { SocketConstructor } from '../live-types.ts';
import { NoEventsError } from './failure-policy.ts';
import { readFeed } from './feed-reader.ts';
import { openPushConnection, type PushConnection, unsubscribe } from './push-connection.ts';
import {
  advanceTo,
  clearSequencer,
  hasReached,
  receivePush,
  requestRepair,
} from './push-sequencer.ts';
import { getRenewalDelay, unsubscribeDelayMs } from './renewal.ts';
import type { Phase, Session } from './session-state.ts';
import { hasDeafFeed, type SubscriptionOutcome, subscribeToChannels } from './subscriptions.ts';

const second = 1000;
const minute = 60 * second;
/** A push may be lost right after a subscription starts, so the feed is read once more. */
const firstRereadDelayMs = 5 * second;
/** After a connection of this length, the next pause is short again. */
const stableAfterMs = minute;
/** Without push, no channel shows that the user's groups have changed. */
const maxPollingMs = 60 * minute;
const defaultPollIntervalMs = 15 * second;

type PhaseOf<Name extends Phase['name']> = Extract<Phase, { name: Name }>;

/** Runs the current phase and returns the next. Cancelling the session's scope ends the phase. */
export async function runPhase(session: Session): Promise<Phase> {
  const { phase } = session;
  switch (phase.name) {
    case 'synchronizing':
      return synchronize(session);
    case 'streaming':
      return stream(session, phase);
    case 'polling':
      return poll(session, phase);
    case 'waiting':
      return wait(session, phase);
    case 'ended':
      return phase;
  }
}

/** Reports whether the phase receives events. */
export const isListening = ({ phase }: Session): boolean =>
  phase.name === 'streaming' || phase.name === 'polling';

/** Reads the feed after a gap. If that fails, connects again. */
export function repairFromFeed(session: Session): void {
  session.scope.schedule(0, () => readFeed(session));
}

/** Renews at once, such as after the device has slept. */
export const renewSoon = (session: Session): void => scheduleRenewalIn(session, 0);

/** Asks where to listen. Its cursor must be older than the lists, so it comes before them. */
async function synchronize(session: Session): Promise<Phase> {
  session.onToken(await session.client.token());
  const live = await fetchLive(session);
  const receivedAt = getMonotonicTime();
  session.onStatus(session.hasLoaded ? 'catching-up' : 'connecting');
  const { WebSocket: socketClass = getPlatformWebSocket() } = session.options;
  return socketClass && live.url
    ? { name: 'streaming', live, socketClass, receivedAt }
    : { name: 'polling', live };
}

/** Loads and connects at the same time, subscribes, and applies pushes until the end. */
async function stream(session: Session, phase: PhaseOf<'streaming'>): Promise<Phase> {
  const { scope } = session;
  const connecting = connect(session, phase);
  connecting.catch(() => {});
  try {
    await bringUpToDate(session, phase.live);
    const connection = await connecting;
    session.connection = connection;
    const outcome = await subscribeTo(session, connection, phase.live);
    await readFeed(session);
    reportSubscriptions(session, connection, phase.live, outcome);
    scope.schedule(firstRereadDelayMs, () => readFeed(session));
    scope.schedule(stableAfterMs, () => {
      session.failures = 0;
    });
    scheduleRenewal(session, phase, outcome);
    return await untilCancelled(session, connection.ended.promise);
  } finally {
    session.connection = undefined;
  }
}

/** Loads, then reads the feed at intervals. */
async function poll(session: Session, { live }: PhaseOf<'polling'>): Promise<Phase> {
  const { scope, options } = session;
  await bringUpToDate(session, live);
  session.failures = 0;
  session.onStatus('polling');
  const interval = options.pollInterval ?? defaultPollIntervalMs;
  const read = async () => {
    await readFeed(session);
    scope.schedule(interval * (0.8 + 0.4 * Math.random()), read);
  };
  scope.schedule(interval, read);
  scope.schedule(maxPollingMs, () => scope.cancel(null));
  return untilCancelled(session);
}

/** Pauses after a failure. */
async function wait(
  session: Session,
  { status, delayMs, error }: PhaseOf<'waiting'>,
): Promise<Phase> {
  session.onStatus(status, error);
  if (delayMs !== undefined) session.scope.schedule(delayMs, () => session.scope.cancel(null));
  return untilCancelled(session);
}

async function untilCancelled(session: Session, ended?: Promise<Error>): Promise<Phase> {
  const { cancelled } = session.scope;
  const error = await (ended ? Promise.race([cancelled, ended]) : cancelled);
  if (error) throw error;
  if (isListening(session)) session.onStatus('catching-up');
  return { name: 'synchronizing' };
}

async function fetchLive(session: Session): Promise<Live> {
  try {
    const live = await session.client.live.retrieve({}, { signal: session.scope.signal });
    const groups = live.channels.filter(({ group_id }) => group_id);
    session.groupFeeds = new Set(groups.map(({ feed }) => feed));
    return live;
  } catch (cause) {
    throw hasCode(cause, 'not_found') ? new NoEventsError(cause) : cause;
  }
}

async function connect(
  session: Session,
  { live: { url, host }, socketClass }: PhaseOf<'streaming'>,
): Promise<PushConnection> {
  const { scope, sequencer } = session;
  const token = await takeToken(session);
  return openPushConnection({
    WebSocket: socketClass,
    url,
    host,
    token,
    signal: scope.signal,
    onEvent: (event) => receivePush(sequencer, event),
    onMissedEvent: () => requestRepair(sequencer),
  });
}

function takeToken(session: Session): Promise<string> {
  const fresh = session.needsFreshToken;
  session.needsFreshToken = false;
  return session.client.token({ fresh });
}

function mustReload({ needsReload, sequencer }: Session, { channels }: Live): boolean {
  const feeds = new Set(channels.map(({ feed }) => feed));
  const known = [...sequencer.lastSequences.keys()];
  return needsReload || feeds.size !== known.length || known.some((feed) => !feeds.has(feed));
}

/** Loads the lists, or reads the missed events. */
async function bringUpToDate(session: Session, live: Live): Promise<void> {
  const { sequencer } = session;
  if (!mustReload(session, live)) return catchUp(session, live);
  session.needsReload = true;
  clearSequencer(sequencer);
  session.cursor = live.cursor;
  await session.load();
  session.needsReload = false;
  session.hasLoaded = true;
  for (const { feed, place } of live.channels) advanceTo(sequencer, feed, place);
  session.onReachable();
}

/** Reads the feed if something was missed, and continues from the present. */
async function catchUp(session: Session, { channels, cursor }: Live): Promise<void> {
  const isComplete = channels.every(({ feed, place }) =>
    hasReached(session.sequencer, feed, place),
  );
  if (!isComplete) return readFeed(session);
  session.cursor = cursor;
  session.onReachable();
}

async function subscribeTo(
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

/** Reports `live`, unless the push service refuses a feed: then each renewal reads it instead. */
function reportSubscriptions(
  { onStatus }: Session,
  connection: PushConnection,
  { channels }: Live,
  { refusal }: SubscriptionOutcome,
) {
  const isDeaf = refusal && hasDeafFeed(connection.channels, channels);
  onStatus(isDeaf ? 'catching-up' : 'live', refusal);
}

function scheduleRenewal(
  session: Session,
  { live, receivedAt }: Pick<PhaseOf<'streaming'>, 'live' | 'receivedAt'>,
  { isComplete, refusal }: SubscriptionOutcome,
) {
  const expiresInMs = live.expires_in * second - (getMonotonicTime() - receivedAt);
  const isRefused = refusal !== undefined;
  const delayMs = getRenewalDelay({ expiresInMs, isComplete, isRefused, random: Math.random });
  scheduleRenewalIn(session, delayMs);
}

function scheduleRenewalIn(session: Session, delayMs: number) {
  session.cancelRenewal?.();
  session.cancelRenewal = session.scope.schedule(delayMs, () => renew(session));
}

/** Subscribes to the next hour, and finds missed events and changes of groups. */
async function renew(session: Session): Promise<void> {
  const { scope, connection } = session;
  const live = await fetchLive(session);
  const receivedAt = getMonotonicTime();
  if (!connection || mustReload(session, live)) return scope.cancel(null);
  const outcome = await subscribeTo(session, connection, live);
  scope.schedule(unsubscribeDelayMs, () => {
    for (const name of outcome.superseded) unsubscribe(connection, name);
  });
  await catchUp(session, live);
  reportSubscriptions(session, connection, live, outcome);
  scheduleRenewal(session, { live, receivedAt }, outcome);
}

/** Node has a WebSocket from version 22. */
const getPlatformWebSocket = (): SocketConstructor | undefined =>
  Reflect.get(globalThis, 'WebSocket');
