/**
 * The process that the functions' threads are in. It is apart because a function can be so far gone that V8 can neither
 * end its thread nor go on without it: then only this process ends, and another takes its place.
 */

import type { FromHost, ToHost } from './host-protocol.ts';
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
  for (const { definition, variables } of message.functions) {
    const log = (line: string) => tell({ kind: 'printed', functionArn: definition.arn, line });
    pools.set(definition.arn, functionPool({ definition, variables, log }));
  }
});

// The local cloud has gone, or has no more use for it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A Ctrl-C in the terminal reaches all processes: this one is needed until the requests under way are answered.
process.on('SIGINT', () => {});

const noSuchFunction: Outcome = {
  ok: false,
  failure: { errorType: 'ResourceNotFoundException', errorMessage: 'There is no such function' },
};
