import { describe, expect, test } from '@jest/globals';
import { startListening } from '../../../simulation/listening-client.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

describe('A client whose connections fail', () => {
  test('reads the feed and retries failed requests at each connection attempt', async () => {
    const { service, network, conversation, inbox, receivesNextMessage, failUnreadCount } =
      await startListening();
    await failUnreadCount();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await advanceTime(minute);
    const shown = () => inbox.getSnapshot().conversations[0];
    expect(shown()?.unread_count).toBe(1);
    delete network.overrideReply;
    expect(await receivesNextMessage(2 * minute)).toBe(true);
    expect(shown()?.unread_count).toBe(1);
    service.respond('ann', 'GET', `/v1/messages?conversation_id=${conversation.id}`, {});
    await advanceTime(2 * minute);
    expect(shown()?.unread_count).toBe(0);
    inbox.close();
  });

  test('retries after pauses of at most a minute', async () => {
    const { network, inbox, state, countRequests } = await startListening();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    expect(await countRequests('GET /v1/live', 10 * second)).toBeGreaterThan(3);
    expect(state()[0]).toBe('offline');
    await advanceTime(10 * minute);
    const anHour = await countRequests('GET /v1/live', 60 * minute);
    expect(anHour).toBeGreaterThan(80);
    expect(anHour).toBeLessThan(180);
    inbox.close();
  });

  test('retries after long pauses even if the status becomes `live` before each connection ends', async () => {
    const { network, inbox, countRequests } = await startListening();
    inbox.subscribe(() => {
      if (inbox.getSnapshot().status === 'live') network.cut();
    });
    network.cut();
    await advanceTime(10 * minute);
    expect(await countRequests('GET /v1/live', 60 * minute)).toBeLessThan(180);
    inbox.close();
  });

  test('reconnects within three seconds after a stable connection ends', async () => {
    const { network, inbox, state, countRequests } = await startListening();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await advanceTime(20 * minute);
    delete network.overrideFrame;
    await advanceTime(5 * minute);
    expect(state()).toEqual(['live', null]);
    network.cut();
    expect(await countRequests('GET /v1/live', 3 * second)).toBeGreaterThan(0);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });
});
