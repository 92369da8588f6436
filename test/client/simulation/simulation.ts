import { afterEach, beforeEach, jest } from '@jest/globals';
import { type ClientOptions, createClient } from '../../../client/src/index.ts';
import { random } from '../../../shared/ids.ts';
import { createRandom } from '../../soak/client/seeded-random.ts';
import { createSimulatedNetwork, type Network } from './simulated-network.ts';
import { createSimulatedService, getHour } from './simulated-service.ts';

/** Some hour's beginning: what is done about the next one hangs on how far it is. */
const hourBegins = Date.UTC(2030, 0, 1, 12);
const minute = 60_000;

/**
 * Time stands still in each test of the file, but where it `pass`es. A test begins five minutes into an hour, whenever it is run,
 * unless it says another moment by `beginAt`.
 */
export function useSimulatedTime(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    setMinutesPastHour(5);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

/** It is so many minutes past the hour. */
export const setMinutesPastHour = (minutes: number): void => {
  jest.setSystemTime(hourBegins + minutes * minute);
};

/** So many milliseconds go by, as fast as what is due in them is done. */
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

/** Makes all random numbers of the test follow from the seed. Returns their source. */
export function useSeededRandom(seed: number): () => number {
  const chance = createRandom(seed, 'network').fraction;
  jest.spyOn(Math, 'random').mockImplementation(chance);
  jest
    .spyOn(random, 'bytes')
    .mockImplementation((count) => Uint8Array.from({ length: count }, () => chance() * 256));
  return chance;
}

/** A service, and Ann's client with a network between; all that is left to chance follows from the seed. */
export function createSimulation(seed: number, options: Partial<ClientOptions> = {}) {
  const chance = useSeededRandom(seed);
  let network: Network | undefined;
  const service = createSimulatedService({
    chance,
    push: (feed, event) => network?.publish(`/inbox/${feed}/${getHour(Date.now())}`, event),
  });
  network = createSimulatedNetwork(chance, (...asked) => service.answer('ann', ...asked));
  const client = createClient({
    url: 'http://paper',
    token: annsToken,
    fetch: network.fetch,
    retries: 2,
    ...options,
  });
  return { service, network, client, chance };
}
