import { afterEach, beforeEach, jest } from '@jest/globals';
import { type ClientOptions, createClient } from '../../../client/src/index.ts';
import { random } from '../../../shared/ids.ts';
import { createRandom } from '../../soak/client/seeded-random.ts';
import { getHour } from './simulated-feeds.ts';
import { createSimulatedNetwork, type Network } from './simulated-network.ts';
import { createSimulatedService } from './simulated-service.ts';

/** The start of an hour. The client's renewals depend on the time until the next hour. */
const hourBegins = Date.UTC(2030, 0, 1, 12);
const minute = 60_000;

/**
 * Replaces the clock and the timers in each test of the file. `advanceTime` advances both. Each
 * test starts at five minutes past the hour.
 */
export function useSimulatedTime(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    setMinutesPastHour(5);
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}

export const setMinutesPastHour = (minutes: number): void => {
  jest.setSystemTime(hourBegins + minutes * minute);
};

/** Advances the clock by the given milliseconds, and runs the timers and promises that are due. */
export async function advanceTime(milliseconds: number): Promise<void> {
  const settle = () => new Promise((done) => setImmediate(done));
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, milliseconds);
  await settle();
  while (!isOver) {
    jest.advanceTimersToNextTimer();
    await settle();
  }
}

export const annsToken = `x.${btoa(JSON.stringify({ sub: 'ann' }))}.x`;

/** Derives the random numbers of the test from the seed. Returns the generator. */
export function useSeededRandom(seed: number): () => number {
  const chance = createRandom(seed, 'network').fraction;
  jest.spyOn(Math, 'random').mockImplementation(chance);
  jest
    .spyOn(random, 'bytes')
    .mockImplementation((count) => Uint8Array.from({ length: count }, () => chance() * 256));
  return chance;
}

/**
 * Returns a service, Ann's client and the network between them. `seed` determines the random
 * numbers except those of idempotency keys.
 */
export function createSimulation(
  seed: number,
  options: Partial<ClientOptions> = {},
  maxPushedText?: number,
) {
  const chance = useSeededRandom(seed);
  // `crypto.subtle.digest` resolves in real time, which the simulated clock does not control.
  jest.spyOn(crypto.subtle, 'digest').mockImplementation(async () => new ArrayBuffer(32));
  let network: Network | undefined;
  const service = createSimulatedService({
    chance,
    push: (feed, event) => network?.publish(`/inbox/${feed}/${getHour(Date.now())}`, event),
    maxPushedText,
  });
  network = createSimulatedNetwork(chance, (...request) => service.respond('ann', ...request));
  const client = createClient({
    url: 'http://paper',
    token: annsToken,
    fetch: network.fetch,
    putFile: network.putFile,
    retries: 2,
    ...options,
  });
  return { service, network, client, chance };
}
