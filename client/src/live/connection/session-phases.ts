import { pause } from '../../fetch-attempt.ts';
import type { Live } from '../../generated/types.ts';
import { getMonotonicTime } from '../../monotonic-clock.ts';
import type { SocketConstructor } from '../live-types.ts';
import { toLiveError } from './failure-policy.ts';
import { readFeed } from './feed-reader.ts';
import {
  openPushConnection,
  type PushConnection,
  PushError,
  unsubscribe,
} from './push-connection.ts';
import { advanceTo, clearSequencer, hasReached, receivePush, requestRepair } from './push-sequencer.ts';
import { getRenewalDelay, unsubscribeDelayMs } from './renewal.ts';
import type { Phase, SessionContext, SessionState } from './session-state.ts';
import { getDeafFeeds, type SubscriptionOutcome, subscribeToChannels } from './subscriptions.ts';

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

/** Asks where to listen. Its cursor must be older than the lists, so it comes before them. */
export async function synchronize(context: SessionContext): Promise<Phase> {
  const { state, options, onStatus } = context;
  const live = await fetchLive(context);
  const receivedAt = getMonotonicTime();
  onStatus(state.hasLoaded ? 'catching-up' : 'connecting');
  const socketClass =
    options.WebSocket === undefined ? getPlatformWebSocket() : options.WebSocket;
  return socketClass && live.url
    ? { name: 'streaming', live, socketClass, receivedAt }
    : { name: 'polling', live };
}

/** Loads and connects at the same time, subscribes, and applies pushes until the connection ends. */
export async function stream(
  context: SessionContext,
  { live, socketClass, receivedAt }: PhaseOf<'streaming'>,
): Promise<Phase> {
  const { state, feedReader, onReachable } = context;
  const { scope } = state;
  const connecting = connect(context, live, socketClass);
  connecting.catch(() => {});
  try {
    await bringUpToDate(context, live);
    const connection = await connecting;
    state.connection = connection;
    const outcome = await subscribeTo(context, connection, live);
    await readFeed(feedReader);
    onReachable();
    reportSubscriptions(context, connection, live, outcome);
    scope.schedule(firstRereadDelayMs, () => readFeed(feedReader));
    scope.schedule(stableAfterMs, () => {
      state.failedAttempts = 0;
    });
    scheduleRenewal(context, { live, receivedAt, outcome });
    return await untilCancelled(context, connection);
  } finally {
    state.connection = undefined;
    state.isDeaf = false;
  }
}

/** Loads, then reads the feed at intervals. */
export async function poll(
  context: SessionContext,
  { live }: PhaseOf<'polling'>,
): Promise<Phase> {
  const { state, onStatus } = context;
  await bringUpToDate(context, live);
  state.failedAttempts = 0;
  onStatus('polling');
  scheduleFeedReads(context);
  state.scope.schedule(maxPollingMs, () => state.scope.cancel(null));
  return untilCancelled(context);
}

/** Pauses after a failure. */
export async function wait(
  context: SessionContext,
  { status, delayMs, error }: PhaseOf<'waiting'>,
): Promise<Phase> {
  const { state, onStatus } = context;
  onStatus(status, error);
  state.scope.schedule(delayMs, () => state.scope.cancel(null));
  return untilCancelled(context);
}

/** Waits for `restart`. */
export async function stop(
  context: SessionContext,
  { status, error }: PhaseOf<'stopped'>,
): Promise<Phase> {
  context.onStatus(status, error);
  return untilCancelled(context);
}

/** Reads the feed after a gap. If that fails, connects again. */
export function repairFromFeed({ state, feedReader, onReachable }: SessionContext): void {
  const { scope } = state;
  scope.schedule(0, () => readFeed(feedReader).then(onReachable));
}

/** Renews at once, such as after the device has slept. */
export function renewSoon(context: SessionContext): void {
  const { state } = context;
  state.cancelRenewal();
  state.cancelRenewal = state.scope.schedule(0, () => renew(context));
}

async function untilCancelled(
  { state, onStatus }: SessionContext,
  connection?: PushConnection,
): Promise<Phase> {
  const { cancelled } = state.scope;
  const error = await (connection
    ? Promise.race([cancelled, connection.ended.promise])
    : cancelled);
  if (error) throw error;
  if (isListening(state)) onStatus('catching-up');
  return { name: 'synchronizing' };
}

/** Reports whether the phase receives events. */
export const isListening = ({ phase }: SessionState): boolean =>
  phase.name === 'streaming' || phase.name === 'polling';

async function fetchLive({ client, state }: SessionContext): Promise<Live> {
  try {
    const live = await client.live.retrieve({}, { signal: state.scope.signal });
    const groups = live.channels.filter(({ group_id }) => group_id !== null);
    state.groupFeeds = new Set(groups.map(({ feed }) => feed));
    return live;
  } catch (cause) {
    throw toLiveError(cause);
  }
}

async function connect(
  { client, state, sequencer, onToken }: SessionContext,
  { url, host }: Live,
  WebSocket: SocketConstructor,
): Promise<PushConnection> {
  const { scope } = state;
  const token = await client.token({ fresh: state.needsFreshToken });
  onToken(token);
  state.needsFreshToken = false;
  return openPushConnection({
    WebSocket,
    url,
    host,
    token,
    signal: scope.signal,
    onEvent: (event) => receivePush(sequencer, event),
    onMissedEvent: () => requestRepair(sequencer),
    onChannelLost: () => scope.cancel(new PushError('ended', 'A subscription has ended.')),
  });
}

const hasDifferentFeeds = ({ sequencer }: SessionContext, { channels }: Live) => {
  const feeds = new Set(channels.map(({ feed }) => feed));
  const known = [...sequencer.lastSequences.keys()];
  return feeds.size !== known.length || known.some((feed) => !feeds.has(feed));
};

const mustReload = (context: SessionContext, live: Live) =>
  context.state.needsReload || hasDifferentFeeds(context, live);

/** Loads the lists, or reads the missed events. */
async function bringUpToDate(context: SessionContext, live: Live): Promise<void> {
  const { state, sequencer, feedReader, load, onReachable } = context;
  if (mustReload(context, live)) {
    state.needsReload = true;
    clearSequencer(sequencer);
    feedReader.cursor = live.cursor;
    await load();
    state.needsReload = false;
    state.hasLoaded = true;
    for (const { feed, place } of live.channels) advanceTo(sequencer, feed, place);
  } else await catchUp(context, live);
  onReachable();
}

/** Reads the feed if something was missed, and continues from the present. */
async function catchUp(
  { sequencer, feedReader }: SessionContext,
  { channels, cursor }: Live,
): Promise<void> {
  if (channels.every(({ feed, place }) => hasReached(sequencer, feed, place)))
    feedReader.cursor = cursor;
  else await readFeed(feedReader);
}

async function subscribeTo(
  { client, state }: SessionContext,
  connection: PushConnection,
  { channels }: Live,
): Promise<SubscriptionOutcome> {
  const { signal } = state.scope;
  const token = await client.token({ fresh: state.needsFreshToken });
  state.needsFreshToken = false;
  const outcome = await subscribeToChannels(connection, channels, {
    token,
    pause: (delayMs) => pause(delayMs, signal),
  });
  if (connection.channels.size === 0 && outcome.refusal) throw outcome.refusal;
  return outcome;
}

/** Reports `live`. While the push service refuses a channel, reads the feed at intervals instead. */
function reportSubscriptions(
  context: SessionContext,
  connection: PushConnection,
  { channels }: Live,
  { refusal }: SubscriptionOutcome,
) {
  const { state, onStatus } = context;
  const subscribed = new Set(connection.channels.keys());
  const wasDeaf = state.isDeaf;
  state.isDeaf = refusal !== undefined && getDeafFeeds(subscribed, channels).length > 0;
  if (!state.isDeaf) return onStatus('live');
  onStatus('catching-up', refusal);
  if (wasDeaf) return;
  state.needsFreshToken = true;
  scheduleFeedReads(context);
}

/** Reads the feed at intervals while no push delivers it. */
function scheduleFeedReads(context: SessionContext) {
  const { state, options, feedReader, onReachable } = context;
  const { scope } = state;
  const interval = options.pollInterval ?? defaultPollIntervalMs;
  const read = async () => {
    if (state.connection && !state.isDeaf) return;
    await readFeed(feedReader);
    onReachable();
    scope.schedule(interval * (0.8 + 0.4 * Math.random()), read);
  };
  scope.schedule(interval, read);
}

interface Renewal {
  live: Live;
  /** Monotonic time of the reply. */
  receivedAt: number;
  outcome: SubscriptionOutcome;
}

function scheduleRenewal(context: SessionContext, { live, receivedAt, outcome }: Renewal) {
  const { state } = context;
  const delayMs = getRenewalDelay({
    expiresInMs: live.expires_in * second - (getMonotonicTime() - receivedAt),
    isComplete: outcome.isComplete,
    isRefused: outcome.refusal !== undefined,
    random: Math.random,
  });
  state.cancelRenewal();
  state.cancelRenewal = state.scope.schedule(delayMs, () => renew(context));
}

/** Subscribes to the next hour, and finds missed events and changes of groups. */
async function renew(context: SessionContext): Promise<void> {
  const { state, onReachable } = context;
  const { scope, connection } = state;
  const live = await fetchLive(context);
  const receivedAt = getMonotonicTime();
  if (!connection || mustReload(context, live)) return scope.cancel(null);
  const outcome = await subscribeTo(context, connection, live);
  scope.schedule(unsubscribeDelayMs, () => {
    for (const name of outcome.superseded) unsubscribe(connection, name);
  });
  await catchUp(context, live);
  onReachable();
  reportSubscriptions(context, connection, live, outcome);
  scheduleRenewal(context, { live, receivedAt, outcome });
}

/** Node has a WebSocket from version 22. */
const getPlatformWebSocket = (): SocketConstructor | undefined =>
  Reflect.get(globalThis, 'WebSocket');
