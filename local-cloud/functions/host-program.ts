/**
 * Runs the functions' threads in a separate process. If a function blocks V8 and its thread cannot
 * be terminated, only this process exits, and the local cloud starts a new one.
 */

import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import type { FromHost, HostedFunction, ToHost } from './host-protocol.ts';
import type { Outcome } from './thread-protocol.ts';

const pools = new Map<string, FunctionPool>();

/** Messages queued in the current turn of the event loop, to be sent in one write. */
let unsent: FromHost[] = [];

function sendMessage(message: FromHost): void {
  if (unsent.length === 0) setImmediate(sendAll);
  unsent.push(message);
}

function sendAll(): void {
  const messages = unsent;
  unsent = [];
  if (process.connected) process.send?.(messages);
}

process.on('message', async (message: ToHost) => {
  if (message.kind === 'invoke') {
    const { id, functionArn, event } = message;
    const outcome = (await pools.get(functionArn)?.invoke(event)) ?? unknownFunctionOutcome;
    sendMessage({ kind: 'outcome', id, outcome });
    return;
  }
  const newPools = message.functions.map(createPool);
  if (message.kind === 'functions') {
    for (const [arn, pool] of newPools) pools.set(arn, pool);
    return;
  }
  sendMessage({ kind: 'outcome', id: message.id, outcome: await replacePools(newPools) });
});

function createPool({ definition, variables }: HostedFunction) {
  const log = (line: string) => sendMessage({ kind: 'printed', functionArn: definition.arn, line });
  return [definition.arn, createFunctionPool({ definition, variables, log })] as const;
}

/**
 * Replaces the functions' pools. If any function's code cannot be loaded, keeps all running code
 * and returns the first failure. Loads the code sequentially, because there may be many functions.
 */
async function replacePools(
  newPools: readonly (readonly [string, FunctionPool])[],
): Promise<Outcome> {
  for (const [, pool] of newPools) {
    const outcome = await pool.load();
    if (outcome.ok) continue;
    for (const [, one] of newPools) one.close();
    return outcome;
  }
  for (const [arn, pool] of newPools) {
    pools.get(arn)?.close();
    pools.set(arn, pool);
  }
  return { ok: true, reply: '' };
}

// The local cloud has exited or no longer needs this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C in the terminal signals all processes. This process must continue until running requests
// finish.
process.on('SIGINT', () => {});

const unknownFunctionOutcome: Outcome = {
  ok: false,
  failure: { errorType: 'ResourceNotFoundException', errorMessage: 'No such function' },
};
