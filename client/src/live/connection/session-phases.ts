import { getMonotonicTime } from '../../requests/monotonic-clock.ts';
import type { SocketConstructor } from '../live-types.ts';
import { bringUpToDate, fetchLive, readTwice, takeToken } from './catch-up.ts';
import { pollFeed, readFeed } from './feed-reader.ts';
import { openPushConnection, type PushConnection } from './push-connection.ts';
import { receivePush, requestRepair } from './push-sequencer.ts';
import { reportSubscriptions, scheduleRenewal, subscribeTo } from './renew-session.ts';
import type { Phase, Session } from './session-state.ts';

const second = 1000;
const minute = 60 * second;
/**
 * Milliseconds after which a connection counts as stable. After a stable connection, the next pause
 * before reconnecting is short again.
 */
const stableAfterMs = minute;
/**
 * Maximum milliseconds to poll without calling `GET /v1/live`. Only this request shows changes to
 * the token's groups.
 */
const maxPollingMs = 60 * minute;

type PhaseOf<Name extends Phase['name']> = Extract<Phase, { name: Name }>;

/** Runs the current phase and returns the next. Canceling the session's scope ends the phase. */
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

/** Reports whether the session's phase receives events. */
export const isListening = ({ phase }: Session): boolean =>
  phase.name === 'streaming' || phase.name === 'polling';

/** Reads the feed to fill a gap or complete a push. If the read fails, the session reconnects. */
export function repairFromFeed(session: Session): void {
  session.scope.schedule(0, () => readFeed(session));
}

/**
 * Requests the cursor before the lists are loaded, so that the feed after it contains every change
 * that the lists lack.
 */
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

async function stream(session: Session, phase: PhaseOf<'streaming'>): Promise<Phase> {
  const { scope } = session;
  const connecting = connect(session, phase);
  connecting.catch(() => {});
  try {
    await bringUpToDate(session, phase.live);
    const connection = await connecting;
    session.connection = connection;
    const outcome = await subscribeTo(session, connection, phase.live);
    await readTwice(session);
    reportSubscriptions(session, connection, phase.live, outcome);
    scope.schedule(stableAfterMs, () => {
      session.failures = 0;
    });
    scheduleRenewal(session, phase, outcome);
    return await untilCancelled(session, connection.ended.promise);
  } finally {
    session.connection = undefined;
    session.canRenew = false;
  }
}

async function poll(session: Session, { live }: PhaseOf<'polling'>): Promise<Phase> {
  const { scope } = session;
  await bringUpToDate(session, live);
  session.failures = 0;
  session.onStatus('polling');
  pollFeed(session);
  scope.schedule(maxPollingMs, () => scope.cancel(null));
  return untilCancelled(session);
}

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

/** Returns the platform's WebSocket; undefined in Node before version 22. */
const getPlatformWebSocket = (): SocketConstructor | undefined =>
  Reflect.get(globalThis, 'WebSocket');
