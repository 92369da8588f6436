import type { LogLevel } from './thread-console.ts';

export interface ThreadSettings {
  folder: string;
  handler: string;
  functionName: string;
  functionArn: string;
  memoryMegabytes: number;
  logGroupName: string;
  jsonLogLevel: LogLevel | undefined;
  /** The only element is `frozen` or `running`. */
  state: Int32Array;
}

/**
 * Values of `ThreadSettings.state`. As in Lambda, an environment is frozen between events: work
 * that the handler did not await pauses until the next event.
 */
export const frozen = 0;
export const running = 1;

export interface Invocation {
  requestId: string;
  /** The event as JSON. */
  event: string;
  /** Milliseconds since 1970. */
  deadline: number;
}

export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** Result of an invocation: a JSON reply or a failure. */
export type Outcome = { ok: true; reply: string } | { ok: false; failure: FunctionFailure };

export type ThreadMessage =
  | { kind: 'ready' }
  | { kind: 'not loaded'; failure: FunctionFailure }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'printed'; text: string };
