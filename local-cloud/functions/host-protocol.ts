import type { FunctionDefinition } from './definition.ts';
import type { Outcome } from './thread-protocol.ts';

/** A function, and all that it finds in its environment. */
export interface HostedFunction {
  definition: FunctionDefinition;
  variables: Readonly<Record<string, string>>;
}

/** First the functions, then events for them, and at times other code for some. */
export type ToHost =
  | { kind: 'functions'; functions: readonly HostedFunction[] }
  | { kind: 'replace'; id: number; functions: readonly HostedFunction[] }
  | { kind: 'invoke'; id: number; functionArn: string; event: string };

export type FromHost =
  | { kind: 'outcome'; id: number; outcome: Outcome }
  | { kind: 'printed'; functionArn: string; line: string };
