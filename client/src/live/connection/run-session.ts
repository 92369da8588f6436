import { toError } from '../../to-error.ts';
import { createCancelScope } from './cancel-scope.ts';
import { decideFailure } from './failure-policy.ts';
import { poll, stop, stream, synchronize, wait } from './session-phases.ts';
import type { Phase, SessionContext } from './session-state.ts';

/** Runs one phase after the other until the session has ended. */
export async function runSession(context: SessionContext): Promise<void> {
  const { state } = context;
  while (state.phase.name !== 'ended') {
    state.scope = createCancelScope();
    const next = await runPhase(context);
    state.scope.cancel(null);
    // The session may have ended while the phase ran.
    if (!isEnded(context)) state.phase = next;
  }
}

const isEnded = ({ state }: SessionContext) => state.phase.name === 'ended';

/** Returns the next phase. Cancelling the scope ends the phase; its reason replaces other errors. */
async function runPhase(context: SessionContext): Promise<Phase> {
  const { scope } = context.state;
  try {
    return await startPhase(context);
  } catch (cause) {
    const error = scope.signal.aborted ? await scope.cancelled : toError(cause);
    return error ? applyFailure(context, error) : { name: 'synchronizing' };
  }
}

function startPhase(context: SessionContext): Promise<Phase> {
  const { phase } = context.state;
  switch (phase.name) {
    case 'synchronizing':
      return synchronize(context);
    case 'streaming':
      return stream(context, phase);
    case 'polling':
      return poll(context, phase);
    case 'waiting':
      return wait(context, phase);
    case 'stopped':
      return stop(context, phase);
    case 'ended':
      return Promise.resolve(phase);
  }
}

function applyFailure({ state }: SessionContext, error: Error): Phase {
  const { next, needsReload, needsFreshToken } = decideFailure(error, state.failedAttempts);
  state.failedAttempts += 1;
  state.needsReload ||= needsReload;
  state.needsFreshToken ||= needsFreshToken;
  return next;
}
