import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { live } from '../../../../../client/src/index.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

const second = 1000;
const minute = 60 * second;

useSimulatedTime();

/** What a browser has, as far as the client looks at it. */
const page = {
  window: new EventTarget(),
  document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
};
beforeEach(() => {
  Reflect.set(globalThis, 'self', page.window);
  Reflect.set(globalThis, 'document', page.document);
  page.document.visibilityState = 'visible';
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'self');
  Reflect.deleteProperty(globalThis, 'document');
});
const appears = (how: string) => {
  page.document.visibilityState = how;
  page.document.dispatchEvent(new Event('visibilitychange'));
};

/** Ann has listened for some minutes. */
async function listening() {
  const { network, client } = createSimulation(5);
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(5 * minute);
  expect(inbox.getSnapshot().status).toBe('live');
  const connects = async (within = 5 * second) => {
    const before = network.requests.length;
    await advanceTime(within);
    return network.requests.slice(before).includes('GET /v1/live');
  };
  return { network, inbox, connects };
}

describe('A client that listens connects again', () => {
  test('at once when there is a network again, however long its pause would be', async () => {
    const { network, inbox, connects } = await listening();
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(10 * minute);
    network.conditions.isOffline = false;
    page.window.dispatchEvent(new Event('online'));
    expect(await connects(second)).toBe(true);
    await advanceTime(second);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
    inbox.close();
  });

  test('when the device has slept, whatever the connection looks like', async () => {
    const { network, inbox, connects } = await listening();
    network.cut('silently');
    jest.setSystemTime(Date.now() + 4 * minute);
    expect(await connects(16 * second)).toBe(true);
    inbox.close();
  });

  test('not when its timers are slow, as those of hidden pages are', async () => {
    const { inbox, connects } = await listening();
    jest.setSystemTime(Date.now() + minute);
    expect(await connects(16 * second)).toBe(false);
    inbox.close();
  });

  test('when its page is shown, and the connection has said nothing for longer than it should', async () => {
    const { network, inbox, connects } = await listening();
    network.cut('silently');
    await advanceTime(2 * minute);
    appears('hidden');
    expect(await connects()).toBe(false);
    appears('visible');
    expect(await connects()).toBe(true);
    inbox.close();
  });

  test('not when its page is shown, and the connection is well', async () => {
    const { inbox, connects } = await listening();
    appears('hidden');
    appears('visible');
    expect(await connects()).toBe(false);
    inbox.close();
  });

  test('never after it is closed', async () => {
    const { inbox, connects } = await listening();
    inbox.close();
    await advanceTime(second);
    page.window.dispatchEvent(new Event('online'));
    appears('visible');
    jest.setSystemTime(Date.now() + 60 * minute);
    expect(await connects(minute)).toBe(false);
    // Nothing is left that would be called one day.
    expect(jest.getTimerCount()).toBe(0);
  });
});
