import { afterEach, expect, test } from '@jest/globals';
import { live } from '../../client/src/index.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';

useSimulatedTime();

const own = Reflect.get(globalThis, 'WebSocket');
afterEach(() => {
  Reflect.set(globalThis, 'WebSocket', own);
});

test.each([
  ['By default, the client uses the platform’s WebSocket', {}, 'live'],
  ['If the `WebSocket` option is null, the client polls', { WebSocket: null }, 'polling'],
])('%s', async (_, options, status) => {
  const { network, client } = createSimulation(1);
  Reflect.set(globalThis, 'WebSocket', network.WebSocket);
  const inbox = live(client, options);
  await advanceTime(10_000);
  expect(inbox.getSnapshot().status).toBe(status);
  inbox.close();
});

test('If the platform has no WebSocket, the client polls', async () => {
  const { client } = createSimulation(1);
  Reflect.deleteProperty(globalThis, 'WebSocket');
  const inbox = live(client);
  await advanceTime(10_000);
  expect(inbox.getSnapshot().status).toBe('polling');
  inbox.close();
});
