/**
 * Process of the functions' threads. It is separate because a function can block V8 so that neither
 * its thread nor the process can continue: only this process then ends, and another replaces it.
 */

import type { FromHost, HostedFunction, ToHost } from './host-protocol.ts';
import { type FunctionPool, functionPool } from './pool.ts';
import type { Outcome } from './thread-protocol.ts';

const pools = new Map<string, FunctionPool>();

const tell = (message: FromHost) => {
  if (process.connected) process.send?.(message);
};

process.on('message', async (message: ToHost) => {
  if (message.kind === 'invoke') {
    const { id, functionArn, event } = message;
    const outcome = (await pools.get(functionArn)?.invoke(event)) ?? noSuchFunction;
    tell({ kind: 'outcome', id, outcome });
    return;
  }
  const made = message.functions.map(poolOf);
  if (message.kind === 'functions') {
    for (const [arn, pool] of made) pools.set(arn, pool);
    return;
  }
  tell({ kind: 'outcome', id: message.id, outcome: await replaced(made) });
});

function poolOf({ definition, variables }: HostedFunction) {
  const log = (line: string) => tell({ kind: 'printed', functionArn: definition.arn, line });
  return [definition.arn, functionPool({ definition, variables, log })] as const;
}

/** Loads all or none; the first failure is the outcome. Sequential, because there may be many. */
async function replaced(made: readonly (readonly [string, FunctionPool])[]): Promise<Outcome> {
  for (const [, pool] of made) {
    const outcome = await pool.load();
    if (outcome.ok) continue;
    for (const [, one] of made) one.close();
    return outcome;
  }
  for (const [arn, pool] of made) {
    pools.get(arn)?.close();
    pools.set(arn, pool);
  }
  return { ok: true, reply: '' };
}

// The local cloud has exited or no longer needs this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C in the terminal reaches all processes; this one is needed until running requests are
// answered.
process.on('SIGINT', () => {});

const noSuchFunction: Outcome = {
  ok: false,
  failure: { errorType: 'ResourceNotFoundException', errorMessage: 'No such function' },
};
