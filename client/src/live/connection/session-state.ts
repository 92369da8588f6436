import type { Client } from '../../client.ts';
import type { Live } from '../../generated/types.ts';
import type { LiveOptions, LiveStatus, SocketConstructor } from '../live-types.ts';
import type { PushEvent } from '../push-event.ts';
import type { CancelScope } from './cancel-scope.ts';
import type { PushConnection } from './push-connection.ts';
import type { PushSequencer } from './push-sequencer.ts';

/**
 * Phases of a session. Each phase returns the next one: see session-phases.ts.
 * - `synchronizing`: asks where to listen.
 * - `streaming`: loads or catches up, connects, and receives pushes.
 * - `polling`: loads or catches up, and reads the feed at intervals, without WebSocket.
 * - `waiting`: pauses after a failure. Without a delay, waits for `restart`.
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
  /** Returns false if the payload is incomplete and only the feed has the rest. */
  apply(event: PushEvent): boolean;
  /** Loads again all that is shown. */
  load(): Promise<void>;
  /** Called when the API has replied, so that failed requests can be repeated. */
  onReachable(): void;
  /** Reports the status. Without an error, the last one stays until it is `live` or `polling`. */
  onStatus(status: LiveStatus, error?: Error): void;
  onToken(token: string): void;
  /** Called when the user is no longer a member of a group. */
  onGroupLeft(groupId: string): void;
}

/** The whole state of a session. */
export interface Session extends LiveSessionOptions {
  readonly sequencer: PushSequencer;
  /** The last read of the feed that has begun, and the one that waits for its end. */
  readonly reads: { last: Promise<void>; queued?: Promise<void> | undefined };
  /** Position in the feed. */
  cursor: string;
  phase: Phase;
  /** Ends the current phase. */
  scope: CancelScope;
  connection?: PushConnection | undefined;
  /** Stops the timer of the next renewal. */
  cancelRenewal?: () => void;
  /** Stops the timer of the next read of the feed at intervals. */
  cancelPoll?: () => void;
  /** Failures since the last stable connection. */
  failures: number;
  /** Whether the push service refused the last token. */
  needsFreshToken: boolean;
  /** Whether the lists must be loaded again, because events were missed or never received. */
  needsReload: boolean;
  hasLoaded: boolean;
  /** Channels of the last `GET /v1/live`. */
  channels: Live['channels'];
  /** Whether the user was added to or removed from a group since the last `GET /v1/live` began. */
  hasGroupChange: boolean;
  /** Number of such changes, each less than a minute after the one before. */
  groupChanges: number;
  /** Monotonic time of the last such change in milliseconds. */
  groupChangedAt: number;
  /** Whether a renewal may start: none is running, and the connection is set up. */
  canRenew: boolean;
}
