import { NoReplyError } from '../../api-error.ts';
import { toError } from '../../to-error.ts';
import { createCancelScope } from './cancel-scope.ts';
import { leaveGroup } from './catch-up.ts';
import { decideFailure } from './failure-policy.ts';
import { probe } from './push-connection.ts';
import { clearSequencer, createPushSequencer } from './push-sequencer.ts';
import { renewForGroups, renewSoon } from './renew-session.ts';
import { isListening, repairFromFeed, runPhase } from './session-phases.ts';
import type { LiveSessionOptions, Phase, Session } from './session-state.ts';
import { listenForWake } from './wake-listener.ts';

/** Maximum random delay in milliseconds before a repair of the user's own feed. */
const maxOwnRepairDelayMs = 2000;
/** Maximum random delay in milliseconds before a repair of a group's feed or an unknown feed. */
const maxGroupRepairDelayMs = 10_000;

export interface LiveSession {
  /** Reconnects at once. */
  restart(): void;
  /**
   * Reloads the lists after the next `GET /v1/live`. Called when a conversation has disappeared:
   * the user may have left and rejoined its group, and missed the events in between.
   */
  requireReload(): void;
  /**
   * Schedules a reload of the lists and channels. Called when the user has joined a group or has a
   * new role.
   */
  joinGroup(): void;
  /** Ends a group's subscriptions, hides its conversations, and schedules a reload. */
  leaveGroup(groupId: string): void;
  end(): void;
}

/** Keeps the lists, open conversations and groups up to date until `end` is called. */
export function startLiveSession(options: LiveSessionOptions): LiveSession {
  const session = createSession(options);
  const restart = () => {
    session.failures = 0;
    session.scope.cancel(null);
  };
  const disconnect = (error: Error) => {
    if (isListening(session)) session.scope.cancel(error);
  };
  const stopListening = listenForWake({
    onOnline: restart,
    onOffline: () => disconnect(new NoReplyError('network', null)),
    onPageVisible: () => session.connection && probe(session.connection),
    onClockJump: () => {
      if (!session.connection) return restart();
      probe(session.connection);
      renewSoon(session);
    },
  });
  const stopObserving = options.client.onNoReply(disconnect);
  runSession(session);
  return {
    restart,
    requireReload: () => {
      session.needsReload = true;
    },
    joinGroup: () => renewForGroups(session),
    leaveGroup: (groupId) => {
      leaveGroup(session, groupId);
      renewForGroups(session);
    },
    end: () => {
      session.phase = { name: 'ended' };
      stopListening();
      stopObserving();
      clearSequencer(session.sequencer);
      session.scope.cancel(null);
    },
  };
}

function createSession(options: LiveSessionOptions): Session {
  const sequencer = createPushSequencer({
    apply: options.apply,
    readFeed: () => repairFromFeed(session),
    getMaxRepairDelay: (feed) =>
      feed === undefined || session.channels.some((one) => one.feed === feed && one.group_id)
        ? maxGroupRepairDelayMs
        : maxOwnRepairDelayMs,
  });
  const session: Session = {
    ...options,
    sequencer,
    reads: { last: Promise.resolve() },
    cursor: '',
    phase: { name: 'synchronizing' },
    scope: createCancelScope(),
    failures: 0,
    needsFreshToken: false,
    needsReload: true,
    hasLoaded: false,
    channels: [],
    hasGroupChange: false,
    groupChanges: 0,
    groupChangedAt: 0,
    canRenew: false,
  };
  return session;
}

async function runSession(session: Session): Promise<void> {
  while (!hasEnded(session)) {
    const scope = createCancelScope();
    session.scope = scope;
    const next = await runPhase(session).catch(async (cause) => {
      // Canceling the scope makes requests fail. The scope's reason is the actual cause.
      const error = scope.signal.aborted ? await scope.cancelled : toError(cause);
      return error ? applyFailure(session, error) : synchronizing;
    });
    scope.cancel(null);
    // The session may have ended while the phase ran.
    if (!hasEnded(session)) session.phase = next;
  }
}

const synchronizing: Phase = { name: 'synchronizing' };
const hasEnded = ({ phase }: Session) => phase.name === 'ended';

function applyFailure(session: Session, error: Error): Phase {
  const { next, needsReload, needsFreshToken } = decideFailure(error, session.failures);
  session.failures += 1;
  session.needsReload ||= needsReload;
  session.needsFreshToken ||= needsFreshToken;
  return next;
}
