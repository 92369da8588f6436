import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { services } from '../../../shared/signing/send-signed.ts';

const actors = new AsyncLocalStorage<string>();

/**
 * Runs two actions concurrently. `order` lists `first` and `second` in the order in which their S3
 * calls run. Calls that are not in `order` run afterwards.
 */
export async function runInOrder(
  order: readonly string[],
  actions: { first: () => Promise<unknown>; second: () => Promise<unknown> },
): Promise<void> {
  let turns = [...order];
  const waiting = new Set<{ name: string; resolve: () => void }>();
  const proceed = () => {
    for (const one of waiting) {
      if (turns.length > 0 && turns[0] !== one.name) continue;
      waiting.delete(one);
      one.resolve();
      return;
    }
  };
  const { transport } = services;
  const spy = jest.spyOn(services, 'transport').mockImplementation(async (...args) => {
    const name = actors.getStore();
    if (name === undefined) return transport(...args);
    const turn = Promise.withResolvers<void>();
    waiting.add({ name, resolve: turn.resolve });
    proceed();
    await turn.promise;
    try {
      return await transport(...args);
    } finally {
      turns = turns.slice(1);
      proceed();
    }
  });
  const run = (name: string, act: () => Promise<unknown>) =>
    actors.run(name, act).finally(() => {
      turns = turns.filter((one) => one !== name);
      proceed();
    });
  try {
    await Promise.all([run('first', actions.first), run('second', actions.second)]);
  } finally {
    spy.mockRestore();
  }
}

/** Returns every interleaving of two actions' calls. */
export function listOrders(first: number, second: number): string[][] {
  if (first === 0) return [Array(second).fill('second')];
  if (second === 0) return [Array(first).fill('first')];
  return [
    ...listOrders(first - 1, second).map((rest) => ['first', ...rest]),
    ...listOrders(first, second - 1).map((rest) => ['second', ...rest]),
  ];
}
