import { describe, expect, jest, test } from '@jest/globals';
import { live, SignedOutError } from '../../../../../client/src/index.ts';
import { startListening } from '../../../simulation/listening-client.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import {
  advanceTime,
  annsToken,
  createSimulation,
  useSimulatedTime,
} from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

describe('The status', () => {
  test('is connecting until the first load, then live, and closed after close()', async () => {
    const { network, client } = createSimulation(3);
    const inbox = live(client, { WebSocket: network.WebSocket });
    const statuses = [inbox.getSnapshot().status];
    inbox.subscribe(() => statuses.push(inbox.getSnapshot().status));
    await advanceTime(10 * second);
    expect([...new Set(statuses)]).toEqual(['connecting', 'live']);
    inbox.close();
    expect(inbox.getSnapshot().status).toBe('closed');
  });

  test('is offline within a second after any client request fails without a reply', async () => {
    const { network, client, state, inbox } = await startListening();
    network.conditions.isOffline = true;
    const call = client.contacts.retrieve({ contact_id: 'bob' }, { retries: 0 });
    await Promise.all([expect(call).rejects.toThrow('cannot be reached'), advanceTime(second)]);
    expect(state()).toEqual(['offline', 'NoReplyError']);
    network.conditions = { ...goodConditions };
    await advanceTime(10 * second);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });

  test('stops being live within 68 seconds if the connection breaks without a close event', async () => {
    const { network, state, inbox } = await startListening();
    await advanceTime(5 * minute);
    network.conditions.isOffline = true;
    network.cut('silently');
    await advanceTime(68 * second);
    expect(state()[0]).not.toBe('live');
    inbox.close();
  });

  test('is catching-up when the socket closes, and live again within ten seconds', async () => {
    const { network, state, inbox } = await startListening();
    const statuses: unknown[] = [];
    inbox.subscribe(() => statuses.push(state()[0]));
    network.cut();
    await advanceTime(10 * second);
    expect(statuses).toEqual(['catching-up', 'live']);
    inbox.close();
  });

  test('is offline and reports the error while the token function fails, and is live after the function recovers', async () => {
    const faults = { isFailing: false, calls: 0 };
    const token = async () => {
      faults.calls += 1;
      if (faults.isFailing) throw new Error('The identity provider is down.');
      return annsToken;
    };
    const { network, state, inbox } = await startListening({}, { token });
    faults.isFailing = true;
    network.cut();
    await advanceTime(10 * minute);
    expect(state()).toEqual(['offline', 'Error']);
    faults.calls = 0;
    await advanceTime(hour);
    expect(faults.calls).toBeGreaterThan(60);
    expect(faults.calls).toBeLessThan(200);
    faults.isFailing = false;
    await advanceTime(2 * minute);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });

  test.each([
    ['returns null', () => null],
    [
      'throws SignedOutError',
      () => {
        throw new SignedOutError();
      },
    ],
  ])('is signed-out, without retries, if the token function %s', async (_, signOut) => {
    const session = { isSignedIn: true, calls: 0 };
    const token = () => {
      session.calls += 1;
      return session.isSignedIn ? annsToken : signOut();
    };
    const { network, state, inbox } = await startListening({}, { token });
    session.isSignedIn = false;
    network.cut();
    await advanceTime(10 * second);
    expect(state()).toEqual(['signed-out', 'SignedOutError']);
    session.calls = 0;
    await advanceTime(hour);
    expect(session.calls).toBe(0);
    session.isSignedIn = true;
    inbox.reconnect();
    await advanceTime(10 * second);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });
});

describe('On a device whose clock is wrong', () => {
  test.each([-65, -60, 60, 65])(
    'by %d minutes, every message arrives by push even when the hour changes',
    async (minutes) => {
      const { service, network, client } = createSimulation(3);
      const conversation = service.create('bob', { contact: 'ann' });
      // The service uses the true time.
      const trueNow = Date.now;
      jest
        .spyOn(Date, 'now')
        .mockImplementation(() => trueNow() + (clock.isServer ? 0 : minutes * minute));
      const clock = { isServer: false };
      const atServer = <Result>(action: () => Result): Result => {
        clock.isServer = true;
        try {
          return action();
        } finally {
          clock.isServer = false;
        }
      };
      const { respond } = service;
      service.respond = (...request) => atServer(() => respond(...request));
      const { publish } = network;
      network.publish = (channel, event) => {
        const [, , feed] = channel.split('/');
        const now = atServer(() => Math.floor(Date.now() / hour));
        publish(`/inbox/${feed}/${now}`, event);
      };
      const inbox = live(client, { WebSocket: network.WebSocket });
      await advanceTime(10 * second);
      const missed: number[] = [];
      for (let n = 0; n < 150; n += 1) {
        atServer(() => service.send('bob', conversation, `${n}`));
        await advanceTime(2 * second);
        if (inbox.getSnapshot().conversations[0]?.last_message?.message !== `${n}`) missed.push(n);
        await advanceTime(minute - 2 * second);
      }
      expect(missed).toEqual([]);
      expect(network.requests).not.toContain('GET /v1/contacts');
      inbox.close();
    },
  );
});
