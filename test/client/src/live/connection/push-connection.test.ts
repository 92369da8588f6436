import { describe, expect, test } from '@jest/globals';
import { startListening } from '../../../simulation/listening-client.ts';
import { toMessage } from '../../../simulation/simulated-conversations.ts';
import { advanceTime, annsToken, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

/** The tokens that were asked for: whether a fresh one was wanted. */
function tokens() {
  const wanted: boolean[] = [];
  const token = ({ fresh }: { fresh: boolean }) => {
    wanted.push(fresh);
    return annsToken;
  };
  return { wanted, token };
}

describe('A push service that', () => {
  test.each(['connection_init', 'subscribe'])(
    'refuses what is shown to it at %s is shown a fresh token, once',
    async (at) => {
      const { wanted, token } = tokens();
      const { network, state, sees, inbox } = await startListening({}, { token });
      expect(wanted).not.toContain(true);
      let refusals = 1;
      network.overrideFrame = ({ type }) => {
        if (type !== at || refusals === 0) return undefined;
        refusals -= 1;
        const refusal = at === 'subscribe' ? 'subscribe_error' : 'connection_error';
        return { type: refusal, errors: [{ errorType: 'UnauthorizedException' }] };
      };
      network.cut();
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(wanted.filter((fresh) => fresh)).toHaveLength(1);
      expect(network.connections()).toBe(1);
      expect(await sees()).toBe(true);
      inbox.close();
    },
  );

  test.each([
    ['nothing', 'connection_init', null],
    ['nothing', 'subscribe', null],
    ['no more than that it is alive', 'connection_init', { type: 'ka' }],
  ])(
    'says %s to %s is left after a quarter of a minute, and another connection made',
    async (_, at, instead) => {
      const { network, state, sees, inbox } = await startListening();
      let silences = 1;
      network.overrideFrame = ({ type }) => {
        if (type !== at || silences === 0) return undefined;
        silences -= 1;
        return instead;
      };
      network.cut();
      await advanceTime(14 * second);
      expect(state()[0]).toBe('reconnecting');
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await sees()).toBe(true);
      inbox.close();
    },
  );

  test('ends the connection while a token for it is on its way is not spoken to again, and another one made at once', async () => {
    let takes = 0;
    const token = () =>
      new Promise<string>((resolve) => setTimeout(() => resolve(annsToken), takes));
    const { network, state, sees, inbox } = await startListening({}, { token });
    network.overrideFrame = ({ type }) => {
      if (type !== 'connection_init') return undefined;
      delete network.overrideFrame;
      takes = 2 * second;
      setTimeout(() => {
        network.cut();
        takes = 0;
      }, second);
      return undefined;
    };
    network.cut();
    await advanceTime(12 * second);
    expect(network.sentAfterClose).toEqual([]);
    expect(state()).toEqual(['live', null]);
    expect(await sees()).toBe(true);
    inbox.close();
  });

  test('could not tell something makes the client read the feed', async () => {
    const { network, sees, inbox } = await startListening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    expect(await sees()).toBe(false);
    network.broadcast({ type: 'broadcast_error', id: 's1', errors: [] });
    await advanceTime(second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test('tells several things in one frame is heard, and what nobody knows is not', async () => {
    const { service, network, talk, inbox, asked } = await startListening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    const shown = () => inbox.getSnapshot().conversations[0]?.last_message?.message;
    const events = ['one', 'two'].map((text, n) => {
      const payload = toMessage(talk, service.send('bob', talk, text));
      const position = { feed: 'c:ann', place: 2 + n };
      const event = { id: payload.id, type: 'message.created', created_at: 1, version: 1 };
      return JSON.stringify({ ...event, ...position, payload });
    });
    for (const type of ['ka', 'unsubscribe_success', 'unsubscribe_error', 'news', undefined])
      network.broadcast({ type, id: 'nobody' });
    network.broadcast({ type: 'data', id: 's1', event: events });
    expect(await asked('GET /v1/events', second)).toBe(0);
    expect(shown()).toBe('two');
    inbox.close();
  });

  test('does not say how long it may be silent is left after five minutes of it', async () => {
    const { network, inbox, asked } = await startListening();
    network.overrideFrame = ({ type }) =>
      type === 'connection_init' ? { type: 'connection_ack' } : undefined;
    network.cut();
    await advanceTime(minute);
    network.cut('silently');
    expect(await asked('GET /v1/live', 4 * minute)).toBe(0);
    expect(await asked('GET /v1/live', 2 * minute)).toBe(1);
    inbox.close();
  });

  test('keeps its word on how long it may be silent', async () => {
    const { network, inbox, asked } = await startListening();
    network.overrideFrame = ({ type }) =>
      type === 'connection_init'
        ? { type: 'connection_ack', connectionTimeoutMs: 90_000 }
        : undefined;
    network.cut();
    await advanceTime(10 * second);
    expect(await asked('GET /v1/live', 5 * minute)).toBe(0);
    network.cut('silently');
    expect(await asked('GET /v1/live', minute)).toBe(0);
    expect(await asked('GET /v1/live', minute)).toBe(1);
    inbox.close();
  });
});

describe('Whoever cannot connect', () => {
  test('is kept up to date all the same by each try, and what failed meanwhile is done', async () => {
    const { service, network, talk, inbox, sees, failToCount } = await startListening();
    await failToCount();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await advanceTime(minute);
    const shown = () => inbox.getSnapshot().conversations[0];
    expect(shown()?.unread_count).toBe(1);
    delete network.overrideReply;
    expect(await sees(2 * minute)).toBe(true);
    expect(shown()?.unread_count).toBe(1);
    service.answer('ann', 'GET', `/v1/messages?conversation_id=${talk.id}`, {});
    await advanceTime(2 * minute);
    expect(shown()?.unread_count).toBe(0);
    inbox.close();
  });

  test('tries again after pauses that grow up to a minute', async () => {
    const { network, inbox, state, asked } = await startListening();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    expect(await asked('GET /v1/live', 10 * second)).toBeGreaterThan(3);
    expect(state()[0]).toBe('reconnecting');
    await advanceTime(10 * minute);
    const anHour = await asked('GET /v1/live', 60 * minute);
    expect(anHour).toBeGreaterThan(80);
    expect(anHour).toBeLessThan(180);
    inbox.close();
  });

  test('and is cut off each time as soon as it is connected, pauses no shorter for that', async () => {
    const { network, inbox, asked } = await startListening();
    inbox.subscribe(() => {
      if (inbox.getSnapshot().status === 'live') network.cut();
    });
    network.cut();
    await advanceTime(10 * minute);
    expect(await asked('GET /v1/live', 60 * minute)).toBeLessThan(180);
    inbox.close();
  });

  test('pauses briefly after a connection that has lasted', async () => {
    const { network, inbox, state, asked } = await startListening();
    network.overrideFrame = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await advanceTime(20 * minute);
    delete network.overrideFrame;
    await advanceTime(5 * minute);
    expect(state()).toEqual(['live', null]);
    network.cut();
    expect(await asked('GET /v1/live', 3 * second)).toBeGreaterThan(0);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });
});
