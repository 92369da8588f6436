import type { Client } from '../../client.ts';
import type { Live } from '../../generated/types.ts';
import type { LiveOptions, LiveStatus, SocketConstructor } from '../live-types.ts';
import type { PushEvent } from '../push-event.ts';
import type { CancelScope } from './cancel-scope.ts';
import type { PushConnection } from './push-connection.ts';
import type { PushSequencer } from './push-sequencer.ts';

/**
 * Phases of a session. Each phase returns the next one: see session-phases.ts.
 * - `synchronizing`: requests the channels and the cursor.
 * - `streaming`: loads or catches up, connects, and receives pushes.
 * - `polling`: loads or catches up, and reads the feed at intervals, without a WebSocket.
 * - `waiting`: pauses after a failure. If there is no delay, waits for `restart`.
 */
export type Phase =
  | { name: 'synchronizing' }
  | { name: 'streaming'; live: Live; socketClass: SocketConstructor; receivedAt: number }
  | { name: 'polling'; live: Live }
  | { name: 'waiting'; status: LiveStatus; error: Error; delayMs?: number }
  | { name: 'ended' };

export interface LiveSessionOptions {
  client: Client;
  options: LiveOptions;
  /** Applies an event. Returns false if only the feed has the complete payload. */
  apply(event: PushEvent): boolean;
  /** Loads the lists, open conversations and group stores. */
  load(): Promise<void>;
  /** Called when the API has replied, so that failed requests can be retried. */
  onReachable(): void;
  /**
   * Reports the status. If `error` is undefined, the last error stays until the status is `live` or
   * `polling`.
   */
  onStatus(status: LiveStatus, error?: Error): void;
  onToken(token: string): void;
  onGroupLeft(groupId: string): void;
}

export interface Session extends LiveSessionOptions {
  readonly sequencer: PushSequencer;
  /** The last feed read that has begun, and the one queued after it. */
  readonly reads: { last: Promise<void>; queued?: Promise<void> | undefined };
  cursor: string;
  phase: Phase;
  /** Scope of the current phase. Canceling the scope ends the phase. */
  scope: CancelScope;
  connection?: PushConnection | undefined;
  cancelRenewal?: () => void;
  cancelPoll?: (() => void) | undefined;
  /** Number of failures since the last stable connection, start of polling, or `restart`. */
  failures: number;
  /** Whether the push service refused the last token, or a channel that was requested with it. */
  needsFreshToken: boolean;
  /**
   * Whether the lists must be loaded, because the session is new, the feed cannot return all missed
   * events, or the user's groups have changed.
   */
  needsReload: boolean;
  hasLoaded: boolean;
  /**
   * Channels from the last `GET /v1/live`, except channels of groups that the user has since left.
   */
  channels: Live['channels'];
  /** Whether the user's groups or roles have changed since the last `GET /v1/live` began. */
  hasGroupChange: boolean;
  /** Number of consecutive group changes, each within a minute of the previous one. */
  groupChanges: number;
  /** Monotonic time of the last group change, in milliseconds. */
  groupChangedAt: number;
  /** Whether a renewal may start: none is running, and the connection is set up. */
  canRenew: boolean;
}
