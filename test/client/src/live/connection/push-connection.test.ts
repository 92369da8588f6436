import { describe, expect, test } from '@jest/globals';
import { startListening } from '../../../simulation/listening-client.ts';
import { toMessage } from '../../../simulation/simulated-conversations.ts';
import { advanceTime, annsToken, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

/** Returns a token function that records the `fresh` flag of each call. */
function createTokenSource() {
  const wanted: boolean[] = [];
  const token = ({ fresh }: { fresh: boolean }) => {
    wanted.push(fresh);
    return annsToken;
  };
  return { wanted, token };
}

describe('A push service that', () => {
  test.each(['connection_init', 'subscribe'])(
    'refuses a token at %s receives one fresh token',
    async (at) => {
      const { wanted, token } = createTokenSource();
      const { network, state, receivesNextMessage, inbox } = await startListening({}, { token });
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
      expect(await receivesNextMessage()).toBe(true);
      inbox.close();
    },
  );

  test.each([
    ['nothing', 'connection_init', null],
    ['nothing', 'subscribe', null],
    ['only keep-alives', 'connection_init', { type: 'ka' }],
  ])(
    'sends %s in reply to %s makes the client reconnect after 15 seconds',
    async (_, at, replacement) => {
      const { network, state, receivesNextMessage, inbox } = await startListening();
      let silences = 1;
      network.overrideFrame = ({ type }) => {
        if (type !== at || silences === 0) return undefined;
        silences -= 1;
        return replacement;
      };
      network.cut();
      await advanceTime(14 * second);
      expect(state()[0]).toBe('catching-up');
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await receivesNextMessage()).toBe(true);
      inbox.close();
    },
  );

  test('closes the socket while the client waits for a token receives no more frames, and the client reconnects', async () => {
    let delay = 0;
    const token = () =>
      new Promise<string>((resolve) => setTimeout(() => resolve(annsToken), delay));
    const { network, state, receivesNextMessage, inbox } = await startListening({}, { token });
    network.overrideFrame = ({ type }) => {
      if (type !== 'connection_init') return undefined;
      delete network.overrideFrame;
      delay = 2 * second;
      setTimeout(() => {
        network.cut();
        delay = 0;
      }, second);
      return undefined;
    };
    network.cut();
    await advanceTime(12 * second);
    expect(network.sentAfterClose).toEqual([]);
    expect(state()).toEqual(['live', null]);
    expect(await receivesNextMessage()).toBe(true);
    inbox.close();
  });

  test('reports an undelivered event makes the client read the feed', async () => {
    const { network, receivesNextMessage, inbox } = await startListening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    expect(await receivesNextMessage()).toBe(false);
    network.broadcast({ type: 'broadcast_error', id: 's1', errors: [] });
    await advanceTime(11 * second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test('sends unknown frames and a frame with several events makes the client apply all events without a feed read', async () => {
    const { service, network, conversation, inbox, countRequests } = await startListening();
    await advanceTime(minute);
    network.conditions.lostPushes = 1;
    const shown = () => inbox.getSnapshot().conversations[0]?.last_message?.message;
    const events = ['one', 'two'].map((text, n) => {
      const payload = toMessage(conversation, service.send('bob', conversation, text));
      const position = { feed: 'c:ann', place: 2 + n };
      const event = { id: payload.id, type: 'message.created', created_at: 1, version: 1 };
      return JSON.stringify({ ...event, ...position, payload });
    });
    for (const type of ['ka', 'unsubscribe_success', 'unsubscribe_error', 'unknown', undefined])
      network.broadcast({ type, id: 'none' });
    network.broadcast({ type: 'data', id: 's1', event: events });
    expect(await countRequests('GET /v1/events', second)).toBe(0);
    expect(shown()).toBe('two');
    inbox.close();
  });

  test.each([undefined, 90_000, 300_000])(
    'falls silent makes the client reconnect within 70 seconds, regardless of `connectionTimeoutMs`: %s',
    async (connectionTimeoutMs) => {
      const { network, inbox, state, countRequests } = await startListening();
      network.overrideFrame = ({ type }) =>
        type === 'connection_init' ? { type: 'connection_ack', connectionTimeoutMs } : undefined;
      network.cut();
      await advanceTime(minute);
      expect(await countRequests('GET /v1/live', 5 * minute)).toBe(0);
      network.cut('silently');
      await advanceTime(70 * second);
      expect(state()[0]).toBe('live');
      expect(network.connections()).toBe(1);
      inbox.close();
    },
  );
});

describe('An error frame', () => {
  test.each([{ id: true }, { id: false }])(
    'in reply to a subscription, with or without the subscription’s id, makes the client subscribe again: %j',
    async ({ id }) => {
      const { network, state, receivesNextMessage, inbox } = await startListening();
      let errors = 1;
      network.overrideFrame = (frame) => {
        if (frame.type !== 'subscribe' || errors === 0) return undefined;
        errors -= 1;
        return { type: 'error', id: id ? frame.id : undefined, errors: [{ errorType: 'Any' }] };
      };
      network.cut();
      await advanceTime(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(network.connections()).toBe(1);
      expect(await receivesNextMessage()).toBe(true);
      inbox.close();
    },
  );

  test('for an already accepted subscription makes the client reconnect', async () => {
    const { network, state, receivesNextMessage, inbox } = await startListening();
    const ids: string[] = [];
    network.overrideFrame = ({ type, id }) => {
      if (type === 'subscribe' && id) ids.push(id);
      return undefined;
    };
    network.cut();
    await advanceTime(10 * second);
    network.broadcast({ type: 'error', id: ids.at(-1), errors: [] });
    await advanceTime(10 * second);
    expect(ids).toHaveLength(2);
    expect(state()).toEqual(['live', null]);
    expect(await receivesNextMessage()).toBe(true);
    inbox.close();
  });

  test('without an id after the handshake makes the client reconnect', async () => {
    const { network, state, inbox, countRequests } = await startListening();
    network.broadcast({ type: 'error', errors: [{ errorType: 'InternalFailure' }] });
    expect(await countRequests('GET /v1/live', 10 * second)).toBe(1);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });
});

describe('During the handshake', () => {
  test.each(['close', 'reconnect'] as const)('%s() closes the socket at once', async (method) => {
    const { network, inbox } = await startListening();
    let isWaiting = false;
    network.overrideFrame = ({ type }) => {
      if (type !== 'connection_init') return undefined;
      isWaiting = true;
      return null;
    };
    network.cut();
    while (!isWaiting) await advanceTime(10);
    expect(network.connections()).toBe(1);
    inbox[method]();
    await advanceTime(1);
    expect(network.connections()).toBe(0);
    inbox.close();
  });
});

test('The handshake and subscriptions carry the token with the scheme Token', async () => {
  const authorizations: unknown[] = [];
  const { network, inbox } = await startListening();
  network.overrideFrame = ({ type, authorization }) => {
    if (type === 'subscribe') authorizations.push(authorization?.Authorization);
    return undefined;
  };
  network.cut();
  await advanceTime(10 * second);
  expect(authorizations).toEqual([`Token ${annsToken}`]);
  const [, header = ''] = network.protocols;
  expect(JSON.parse(atob(header.replace('header-', '')))).toEqual({
    Authorization: `Token ${annsToken}`,
    host: 'paper',
  });
  inbox.close();
});
