import { ApiError, FileReadError, hasCode, isSignedOut } from '../../api-error.ts';
import { getRetryDelay } from '../../requests/retry-delay.ts';
import { TooManyEventsError } from './feed-reader.ts';
import { PushError } from './push-connection.ts';
import type { Phase } from './session-state.ts';

const maxRetryDelayMs = 60_000;

/** The stage has events disabled: its API works, but it publishes no changes. */
export class NoEventsError extends Error {
  constructor(cause: unknown) {
    super('Events are disabled on this stage: poll the lists.', { cause });
    this.name = 'NoEventsError';
  }
}

export interface FailureDecision {
  readonly next: Extract<Phase, { name: 'waiting' }>;
  /** Whether the lists must be reloaded because the feed cannot return all missed events. */
  readonly needsReload: boolean;
  /** Whether the push service refused the token or a channel; a retry then needs a new token. */
  readonly needsFreshToken: boolean;
}

/**
 * Decides how the session continues after a failure. `failedAttempts` is the number of consecutive
 * failures before this failure.
 */
export function decideFailure(error: Error, failedAttempts: number): FailureDecision {
  const isRefused = error instanceof PushError && error.reason === 'refused';
  return {
    next: toNextPhase(error, failedAttempts),
    needsReload: isFeedUnusable(error),
    needsFreshToken: isRefused,
  };
}

function toNextPhase(error: Error, failedAttempts: number): FailureDecision['next'] {
  if (isSignedOut(error)) return { name: 'waiting', status: 'signed-out', error };
  if (isPermanent(error)) return { name: 'waiting', status: 'failed', error };
  // A single push error or unusable feed does not mean that the client is offline.
  const isOffline = failedAttempts > 0 || !(error instanceof PushError || isFeedUnusable(error));
  const delayMs = getRetryDelay(failedAttempts, maxRetryDelayMs, 1000);
  return { name: 'waiting', status: isOffline ? 'offline' : 'catching-up', delayMs, error };
}

const isFeedUnusable = (error: Error) =>
  hasCode(error, 'cursor_expired') || error instanceof TooManyEventsError;

/** Statuses below 500 after which a retry may succeed. */
const retryableStatuses = [408, 409, 410, 429];

/** Reports whether a retry would fail with the same error. */
export const isPermanent = (error: Error): boolean =>
  error instanceof NoEventsError ||
  error instanceof FileReadError ||
  (error instanceof ApiError &&
    error.code !== 'unexpected_reply' &&
    error.status < 500 &&
    !retryableStatuses.includes(error.status));
