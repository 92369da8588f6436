import { createCancelScope } from './cancel-scope.ts';
import { createFeedReader } from './feed-reader.ts';
import { probe } from './push-connection.ts';
import { advanceTo, beginRead, clearSequencer, createPushSequencer } from './push-sequencer.ts';
import { isListening, renewSoon, repairFromFeed } from './session-phases.ts';
import { runSession } from './run-session.ts';
import type { LiveSessionOptions, SessionContext, SessionState } from './session-state.ts';
import { NoReplyError } from '../../api-error.ts';
import { listenForWake } from './wake-listener.ts';

/** Maximum random delay of a repair in milliseconds: the devices of one user … */
const maxOwnRepairDelayMs = 1000;
/** … and the members of a group. */
const maxGroupRepairDelayMs = 10_000;

export interface LiveSession {
  /** Connects again at once. */
  restart(): void;
  /**
   * Loads the lists again with the next `GET /v1/live`. A user who has left a group and joined it
   * again in between receives no events of that time.
   */
  requireReload(): void;
  end(): void;
}

/** Keeps the lists up to date until `end` is called. */
export function startLiveSession(options: LiveSessionOptions): LiveSession {
  const context = createContext(options);
  const { state } = context;
  const restart = () => {
    state.failedAttempts = 0;
    state.scope.cancel(null);
  };
  const endStream = (error: Error) => {
    if (isListening(state)) state.scope.cancel(error);
  };
  const stopListening = listenForWake({
    onOnline: restart,
    onOffline: () => endStream(new NoReplyError('network', null)),
    onPageVisible: () => state.connection && probe(state.connection),
    onClockJump: () => {
      if (!state.connection) return restart();
      probe(state.connection);
      renewSoon(context);
    },
  });
  const stopObserving = options.client.onNoReply(endStream);
  runSession(context);
  return {
    restart,
    requireReload: () => {
      state.needsReload = true;
    },
    end: () => {
      state.phase = { name: 'ended' };
      stopListening();
      stopObserving();
      clearSequencer(context.sequencer);
      state.scope.cancel(null);
    },
  };
}

function createContext(options: LiveSessionOptions): SessionContext {
  const state: SessionState = {
    phase: { name: 'synchronizing' },
    scope: createCancelScope(),
    connection: undefined,
    cancelRenewal: () => {},
    failedAttempts: 0,
    needsFreshToken: false,
    needsReload: true,
    hasLoaded: false,
    isDeaf: false,
    groupFeeds: new Set(),
  };
  const sequencer = createPushSequencer({
    apply: options.apply,
    readFeed: () => repairFromFeed(context),
    getMaxRepairDelay: (feed) =>
      feed === undefined || state.groupFeeds.has(feed)
        ? maxGroupRepairDelayMs
        : maxOwnRepairDelayMs,
  });
  const feedReader = createFeedReader({
    client: options.client,
    getSignal: () => state.scope.signal,
    onReadStart: () => beginRead(sequencer),
    apply: (event) => {
      advanceTo(sequencer, event.feed, event.place);
      options.apply(event);
    },
  });
  const context = { ...options, state, sequencer, feedReader };
  return context;
}
