import type { LogLevel } from './thread-console.ts';

/** What the thread of a function's environment is started with. */
export interface ThreadSettings {
  folder: string;
  handler: string;
  functionName: string;
  functionArn: string;
  memoryMegabytes: number;
  logGroupName: string;
  /** The least urgent level that its console writes as JSON; undefined when it writes plain text. */
  jsonLogLevel: LogLevel | undefined;
  /** Its one number says whether the thread may run: see `frozen`. */
  state: Int32Array;
}

/** Between events Lambda freezes an environment: what the handler did not await stands still until the next one. */
export const frozen = 0;
export const running = 1;

export interface Invocation {
  requestId: string;
  /** JSON. */
  event: string;
  /** Milliseconds since 1970. */
  deadline: number;
}

export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** How an invocation ended: with the reply as JSON, with what was streamed, or not. */
export type Outcome =
  | { ok: true; reply: string; streamed?: Uint8Array }
  | { ok: false; failure: FunctionFailure };

export type ThreadMessage =
  | { kind: 'ready' }
  | { kind: 'not loaded'; failure: FunctionFailure }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'printed'; text: string };
