import type { FunctionDefinition } from './function-definition.ts';
import type { Outcome } from './thread-protocol.ts';

/** A function and its environment variables. */
export interface HostedFunction {
  definition: FunctionDefinition;
  variables: Readonly<Record<string, string>>;
}

/** Messages to the host process. `functions` is the first message. */
export type ToHost =
  | { kind: 'functions'; functions: readonly HostedFunction[] }
  | { kind: 'replace'; id: number; functions: readonly HostedFunction[] }
  | { kind: 'invoke'; id: number; functionArn: string; event: string };

export type FromHost =
  | { kind: 'outcome'; id: number; outcome: Outcome }
  | { kind: 'printed'; functionArn: string; line: string };
