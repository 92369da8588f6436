import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { live } from '../../../../../client/src/index.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

const second = 1000;
const minute = 60 * second;

useSimulatedTime();

/** The browser globals that the client uses. */
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
const setVisibility = (state: string) => {
  page.document.visibilityState = state;
  page.document.dispatchEvent(new Event('visibilitychange'));
};

/** Starts an inbox, and waits until it has been live for five minutes. */
async function startLive() {
  const { network, client } = createSimulation(5);
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(5 * minute + 10 * second);
  const status = () => inbox.getSnapshot().status;
  expect(status()).toBe('live');
  /** Reports whether the client calls `GET /v1/live` within `withinMs` milliseconds. */
  const requestsLive = async (withinMs = 8 * second) => {
    const before = network.requests.length;
    await advanceTime(withinMs);
    return network.requests.slice(before).includes('GET /v1/live');
  };
  return { network, inbox, status, requestsLive };
}

describe('The client', () => {
  test('reconnects within a second after an `online` event, regardless of the retry delay', async () => {
    const { network, inbox, requestsLive } = await startLive();
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(10 * minute);
    network.conditions.isOffline = false;
    page.window.dispatchEvent(new Event('online'));
    expect(await requestsLive(second)).toBe(true);
    await advanceTime(second);
    expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
    inbox.close();
  });

  test('reconnects when the page becomes visible and the socket does not reply', async () => {
    const { network, inbox, status, requestsLive } = await startLive();
    network.cut('silently');
    setVisibility('hidden');
    expect(await requestsLive()).toBe(false);
    setVisibility('visible');
    expect(await requestsLive()).toBe(true);
    expect(status()).toBe('live');
    inbox.close();
  });

  test('does not reconnect when the page becomes visible and the socket replies', async () => {
    const { inbox, requestsLive } = await startLive();
    setVisibility('hidden');
    setVisibility('visible');
    expect(await requestsLive()).toBe(false);
    inbox.close();
  });

  test('reconnects if the socket does not reply after the device has slept', async () => {
    const { network, inbox, status } = await startLive();
    network.cut('silently');
    jest.setSystemTime(Date.now() + 4 * minute);
    await advanceTime(25 * second);
    expect(network.connections()).toBe(1);
    expect(status()).toBe('live');
    inbox.close();
  });
});

describe('A device’s clock', () => {
  test('that jumps by 65 minutes makes the client call GET /v1/live, and the status stays `live`', async () => {
    const { inbox, requestsLive } = await startLive();
    const statuses = new Set<string>();
    inbox.subscribe(() => statuses.add(inbox.getSnapshot().status));
    jest.setSystemTime(Date.now() + 65 * minute);
    expect(await requestsLive(16 * second)).toBe(true);
    expect([...statuses]).toEqual([]);
    inbox.close();
  });

  test('that jumps by only a minute does not make the client call GET /v1/live', async () => {
    const { inbox, requestsLive } = await startLive();
    // Browsers delay the timers of hidden pages by up to a minute.
    jest.setSystemTime(Date.now() + minute);
    expect(await requestsLive(16 * second)).toBe(false);
    inbox.close();
  });
});

test('The `offline` event closes the connection and sets the status to `offline` at once', async () => {
  const { network, inbox, status } = await startLive();
  network.conditions.isOffline = true;
  page.window.dispatchEvent(new Event('offline'));
  await advanceTime(1);
  expect(status()).toBe('offline');
  expect(inbox.getSnapshot().error?.name).toBe('NoReplyError');
  expect(network.connections()).toBe(0);
  network.conditions.isOffline = false;
  page.window.dispatchEvent(new Event('online'));
  await advanceTime(2 * second);
  expect(inbox.getSnapshot()).toMatchObject({ status: 'live', error: null });
  inbox.close();
});

test('After close(), events start no requests or timers', async () => {
  const { inbox, requestsLive } = await startLive();
  inbox.close();
  await advanceTime(second);
  page.window.dispatchEvent(new Event('online'));
  page.window.dispatchEvent(new Event('offline'));
  setVisibility('visible');
  jest.setSystemTime(Date.now() + 60 * minute);
  expect(await requestsLive(minute)).toBe(false);
  expect(jest.getTimerCount()).toBe(0);
});
