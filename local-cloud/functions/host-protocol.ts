import type { FunctionDefinition } from './function-definition.ts';
import type { Outcome } from './thread-protocol.ts';

export interface HostedFunction {
  definition: FunctionDefinition;
  variables: Readonly<Record<string, string>>;
}

/** The first message must be `functions`. */
export type ToHost =
  | { kind: 'functions'; functions: readonly HostedFunction[] }
  | { kind: 'replace'; id: number; functions: readonly HostedFunction[] }
  | { kind: 'invoke'; id: number; functionArn: string; event: string };

export type FromHost =
  | { kind: 'outcome'; id: number; outcome: Outcome }
  | { kind: 'printed'; functionArn: string; line: string };
