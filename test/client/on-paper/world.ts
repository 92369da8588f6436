import { afterEach, beforeEach, jest } from '@jest/globals';
import { type ClientOptions, createClient } from '../../../client/src/index.ts';
import { random } from '../../../shared/ids.ts';
import { randomFrom } from '../../soak/random.ts';
import { type Network, networkOf } from './network.ts';
import { hourOf, paperService } from './service.ts';

/** Time stands still in each test of the file, but where it `pass`es. */
export function paperTime(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

/** So many milliseconds go by, as fast as what is due in them is done. */
export async function pass(milliseconds: number): Promise<void> {
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

/** A service, and Ann's client with a network between; all that is left to chance follows from the seed. */
export function onPaper(seed: number, options: Partial<ClientOptions> = {}) {
  const chance = randomFrom(seed, 'network').fraction;
  jest.spyOn(Math, 'random').mockImplementation(chance);
  jest
    .spyOn(random, 'bytes')
    .mockImplementation((count) => Uint8Array.from({ length: count }, () => chance() * 256));
  let network: Network | undefined;
  const service = paperService({
    chance,
    push: (feed, event) => network?.publish(`/inbox/${feed}/${hourOf(Date.now())}`, event),
  });
  network = networkOf(chance, (...asked) => service.answer('ann', ...asked));
  const client = createClient({
    url: 'http://paper',
    token: annsToken,
    fetch: network.fetch,
    retries: 2,
    ...options,
  });
  return { service, network, client, chance };
}
