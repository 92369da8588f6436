import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { FunctionDefinition } from '../../../local-cloud/functions/function-definition.ts';
import { createFunctionPool } from '../../../local-cloud/functions/function-pool.ts';
import type { Outcome } from '../../../local-cloud/functions/thread-protocol.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const definition: FunctionDefinition = {
  ...{ id: 'Small', name: 'small', arn: 'arn', roleArn: 'role', handler: 'index.handler' },
  ...{ folder: '', timeoutSeconds: 3, memoryMegabytes: 128, variables: {} },
  jsonLogLevel: undefined,
};
const done: Outcome = { ok: true, reply: 'null' };

/**
 * Returns a pool whose environments load immediately. Each function in `ends` ends an invocation.
 */
function createPool() {
  const ends: (() => void)[] = [];
  let started = 0;
  const pool = createFunctionPool({ definition, variables: {}, log: () => {} }, () => {
    started += 1;
    return {
      loaded: Promise.resolve(done),
      invoke: () => new Promise((resolve) => ends.push(() => resolve(done))),
      isRunning: () => true,
      stop: async () => {},
    };
  });
  return { pool, ends, started: () => started };
}

test('The pool starts another environment once an event has waited 20 ms, up to a total of four', async () => {
  const { pool, started } = createPool();
  for (let n = 0; n < 6; n += 1) pool.invoke('{}');
  await jest.advanceTimersByTimeAsync(19);
  expect(started()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(started()).toBe(2);
  await jest.advanceTimersByTimeAsync(1000);
  expect(started()).toBe(4);
});

test('Events that wait less than 20 ms use the next free environment', async () => {
  const { pool, ends, started } = createPool();
  const outcomes = [pool.invoke('{}'), pool.invoke('{}'), pool.invoke('{}')];
  for (const outcome of outcomes) {
    await jest.advanceTimersByTimeAsync(5);
    ends.shift()?.();
    await outcome;
  }
  await jest.advanceTimersByTimeAsync(1000);
  expect(started()).toBe(1);
});
