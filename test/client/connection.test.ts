import { describe, expect, test } from '@jest/globals';
import { type ClientOptions, type LiveOptions, live } from '../../client/src/index.ts';
import { fair } from './on-paper/network.ts';
import { shownMessage } from './on-paper/state.ts';
import { annsToken, onPaper, paperTime, pass } from './on-paper/world.ts';

paperTime();

const second = 1000;
const minute = 60 * second;

/** Ann listens to what Bob writes to her. */
async function listening(options: LiveOptions = {}, clientOptions: Partial<ClientOptions> = {}) {
  const { service, network, client } = onPaper(3, clientOptions);
  const talk = service.create('bob', { contact: 'ann' });
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  const state = () => {
    const { status, error } = inbox.getSnapshot();
    return [status, error?.name ?? null];
  };
  await pass(10 * second);
  let n = 0;
  /** Whether she sees what he writes now within so many milliseconds. */
  const sees = async (within = 2 * second) => {
    n += 1;
    service.send('bob', talk, `${n}`);
    await pass(within);
    return inbox.getSnapshot().conversations[0]?.last_message?.message === `${n}`;
  };
  /** How often something is asked for within so many milliseconds. */
  const asked = async (request: string, within: number) => {
    const before = network.requests.length;
    await pass(within);
    return network.requests.slice(before).filter((one) => one === request).length;
  };
  /** How many are unread has to be asked for, and cannot be. */
  const failToCount = async () => {
    await sees();
    network.replyTo = (request) =>
      /conversations.\w/.test(request) ? { status: 503, body: { code: 'unavailable' } } : undefined;
    service.answer('ann', 'GET', `/v1/messages?conversation_id=${talk.id}`, {});
    await pass(minute);
  };
  return { service, network, client, talk, inbox, state, sees, asked, failToCount };
}

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
      const { network, state, sees, inbox } = await listening({}, { token });
      expect(wanted).not.toContain(true);
      let refusals = 1;
      network.answerTo = ({ type }) => {
        if (type !== at || refusals === 0) return undefined;
        refusals -= 1;
        const refusal = at === 'subscribe' ? 'subscribe_error' : 'connection_error';
        return { type: refusal, errors: [{ errorType: 'UnauthorizedException' }] };
      };
      network.cut();
      await pass(10 * second);
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
      const { network, state, sees, inbox } = await listening();
      let silences = 1;
      network.answerTo = ({ type }) => {
        if (type !== at || silences === 0) return undefined;
        silences -= 1;
        return instead;
      };
      network.cut();
      await pass(14 * second);
      expect(state()[0]).toBe('reconnecting');
      await pass(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await sees()).toBe(true);
      inbox.close();
    },
  );

  test('ends the connection while a token for it is on its way is not spoken to again, and another one made at once', async () => {
    let takes = 0;
    const token = () =>
      new Promise<string>((resolve) => setTimeout(() => resolve(annsToken), takes));
    const { network, state, sees, inbox } = await listening({}, { token });
    network.answerTo = ({ type }) => {
      if (type !== 'connection_init') return undefined;
      delete network.answerTo;
      takes = 2 * second;
      setTimeout(() => {
        network.cut();
        takes = 0;
      }, second);
      return undefined;
    };
    network.cut();
    await pass(12 * second);
    expect(network.saidTooLate).toEqual([]);
    expect(state()).toEqual(['live', null]);
    expect(await sees()).toBe(true);
    inbox.close();
  });

  test('could not tell something makes the client read the feed', async () => {
    const { network, sees, inbox } = await listening();
    await pass(minute);
    network.weather.lostPushes = 1;
    expect(await sees()).toBe(false);
    network.tell({ type: 'broadcast_error', id: 's1', errors: [] });
    await pass(second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test('tells several things in one frame is heard, and what nobody knows is not', async () => {
    const { service, network, talk, inbox, asked } = await listening();
    await pass(minute);
    network.weather.lostPushes = 1;
    const shown = () => inbox.getSnapshot().conversations[0]?.last_message?.message;
    const events = ['one', 'two'].map((text, n) => {
      const payload = shownMessage(talk, service.send('bob', talk, text));
      const place = { feed: 'c:ann', place: 2 + n };
      const event = { id: payload.id, type: 'message.created', created_at: 1, version: 1 };
      return JSON.stringify({ ...event, ...place, payload });
    });
    for (const type of ['ka', 'unsubscribe_success', 'unsubscribe_error', 'news', undefined])
      network.tell({ type, id: 'nobody' });
    network.tell({ type: 'data', id: 's1', event: events });
    expect(await asked('GET /v1/events', second)).toBe(0);
    expect(shown()).toBe('two');
    inbox.close();
  });

  test('does not say how long it may be silent is left after five minutes of it', async () => {
    const { network, inbox, asked } = await listening();
    network.answerTo = ({ type }) =>
      type === 'connection_init' ? { type: 'connection_ack' } : undefined;
    network.cut();
    await pass(minute);
    network.cut('silently');
    expect(await asked('GET /v1/live', 4 * minute)).toBe(0);
    expect(await asked('GET /v1/live', 2 * minute)).toBe(1);
    inbox.close();
  });

  test('keeps its word on how long it may be silent', async () => {
    const { network, inbox, asked } = await listening();
    network.answerTo = ({ type }) =>
      type === 'connection_init'
        ? { type: 'connection_ack', connectionTimeoutMs: 90_000 }
        : undefined;
    network.cut();
    await pass(10 * second);
    expect(await asked('GET /v1/live', 5 * minute)).toBe(0);
    network.cut('silently');
    expect(await asked('GET /v1/live', minute)).toBe(0);
    expect(await asked('GET /v1/live', minute)).toBe(1);
    inbox.close();
  });
});

describe('Whoever cannot connect', () => {
  test('is kept up to date all the same by each try, and what failed meanwhile is done', async () => {
    const { service, network, talk, inbox, sees, failToCount } = await listening();
    await failToCount();
    network.answerTo = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await pass(minute);
    const shown = () => inbox.getSnapshot().conversations[0];
    expect(shown()?.unread_count).toBe(1);
    delete network.replyTo;
    expect(await sees(2 * minute)).toBe(true);
    expect(shown()?.unread_count).toBe(1);
    service.answer('ann', 'GET', `/v1/messages?conversation_id=${talk.id}`, {});
    await pass(2 * minute);
    expect(shown()?.unread_count).toBe(0);
    inbox.close();
  });

  test('tries again after pauses that grow up to a minute', async () => {
    const { network, inbox, state, asked } = await listening();
    network.answerTo = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    expect(await asked('GET /v1/live', 10 * second)).toBeGreaterThan(3);
    expect(state()[0]).toBe('reconnecting');
    await pass(10 * minute);
    const anHour = await asked('GET /v1/live', 60 * minute);
    expect(anHour).toBeGreaterThan(80);
    expect(anHour).toBeLessThan(180);
    inbox.close();
  });

  test('and is cut off each time as soon as it is connected, pauses no shorter for that', async () => {
    const { network, inbox, asked } = await listening();
    inbox.subscribe(() => {
      if (inbox.getSnapshot().status === 'live') network.cut();
    });
    network.cut();
    await pass(10 * minute);
    expect(await asked('GET /v1/live', 60 * minute)).toBeLessThan(180);
    inbox.close();
  });

  test('pauses briefly after a connection that has lasted', async () => {
    const { network, inbox, state, asked } = await listening();
    network.answerTo = () => ({ type: 'connection_error', errors: [] });
    network.cut();
    await pass(20 * minute);
    delete network.answerTo;
    await pass(5 * minute);
    expect(state()).toEqual(['live', null]);
    network.cut();
    expect(await asked('GET /v1/live', 3 * second)).toBeGreaterThan(0);
    expect(state()).toEqual(['live', null]);
    inbox.close();
  });
});

describe('Whoever listens for long', () => {
  test('has what failed done, though nothing happens', async () => {
    const { network, inbox, failToCount } = await listening();
    await failToCount();
    delete network.replyTo;
    await pass(20 * minute);
    expect(inbox.getSnapshot().conversations[0]?.unread_count).toBe(0);
    inbox.close();
  });

  test('hears what came just after the subscription, and was lost', async () => {
    const { network, inbox, sees } = await listening();
    network.cut();
    while (inbox.getSnapshot().status === 'live') await pass(10);
    while (inbox.getSnapshot().status !== 'live') await pass(10);
    network.weather.lostPushes = 1;
    expect(await sees(3 * second)).toBe(false);
    await pass(3 * second);
    expect(inbox.getSnapshot().conversations[0]?.last_message?.message).toBe('1');
    inbox.close();
  });

  test.each([
    ['leaves a group', ['team'], []],
    ['joins a group in which nothing has happened for long', [], ['team']],
    ['leaves a group and joins another', ['team'], ['friends']],
  ])('and %s sees its conversations, or does so no more', async (_, before, after) => {
    const { service, network, client, inbox: other } = await listening();
    other.close();
    for (const group of ['team', 'friends']) service.create('bob', { group });
    await pass(minute);
    service.forget();
    const groups = service.groupsOf('ann');
    for (const group of before) groups.add(group);
    const inbox = live(client, { WebSocket: network.WebSocket });
    await pass(minute);
    const shown = () => inbox.getSnapshot().conversations.flatMap(({ group_id }) => group_id ?? []);
    expect(shown()).toEqual(before);
    groups.clear();
    for (const group of after) groups.add(group);
    await pass(20 * minute);
    expect(shown()).toEqual(after);
    expect(inbox.getSnapshot().status).toBe('live');
    const requests = network.requests.length;
    await pass(10 * minute);
    expect(network.requests.length - requests).toBeLessThanOrEqual(4);
    inbox.close();
  });

  test('by a clock that is ahead asks no more often for that', async () => {
    const { network, service, inbox, asked } = await listening();
    network.replyTo = (request) => {
      if (request !== 'GET /v1/live') return undefined;
      const { status, body } = service.answer('ann', 'GET', '/v1/live', {});
      return { status, body: { ...Object(body), expires_at: 1 } };
    };
    network.cut();
    await pass(minute);
    expect(await asked('GET /v1/live', 20 * minute)).toBeLessThanOrEqual(11);
    inbox.close();
  });
});

describe('Whoever comes back', () => {
  test('after more time than the feed goes back lists anew', async () => {
    const { service, network, talk, inbox, state } = await listening();
    network.weather.isOffline = true;
    network.cut();
    service.send('bob', talk, 'missed');
    await pass(minute);
    service.forget();
    network.weather = { ...fair };
    inbox.reconnect();
    await pass(20 * second);
    expect(state()).toEqual(['live', null]);
    expect(inbox.getSnapshot().conversations[0]).toMatchObject({
      last_message: { message: 'missed' },
      unread_count: 1,
    });
    inbox.close();
  });

  test('and has missed nothing asks only where to listen, and reads the feed for what comes just then', async () => {
    const { network, inbox } = await listening();
    await pass(minute);
    const before = network.requests.length;
    network.cut();
    await pass(10 * second);
    expect(network.requests.slice(before)).toEqual([
      'GET /v1/live',
      'GET /v1/events',
      'GET /v1/events',
    ]);
    inbox.close();
  });
});

describe('An answer to where one may listen', () => {
  test.each([
    [401, 'token_invalid', 'TokenInvalidError'],
    [403, 'not_allowed', 'NotAllowedError'],
    [400, 'parameter_invalid', 'ParameterInvalidError'],
    [404, 'not_found', 'NoEventsError'],
  ])(
    'that trying again does not change is told, until it is said: %d %s',
    async (status, code, name) => {
      const { network, state, sees, inbox, asked } = await listening();
      network.replyTo = (request) =>
        request === 'GET /v1/live' ? { status, body: { code } } : undefined;
      network.cut();
      await pass(10 * second);
      expect(state()).toEqual(['failed', name]);
      expect(await asked('GET /v1/live', 60 * minute)).toBe(0);
      delete network.replyTo;
      inbox.reconnect();
      await pass(10 * second);
      expect(state()).toEqual(['live', null]);
      expect(await sees()).toBe(true);
      inbox.close();
    },
  );

  test.each([
    [403, null],
    [408, null],
    [408, 'request_timeout'],
    [409, 'conflict'],
    [410, 'cursor_expired'],
    [429, 'too_many_requests'],
    [500, 'internal'],
    [503, 'unavailable'],
  ])('that passes is asked for again: %d %s', async (status, code) => {
    const { network, state, sees, inbox } = await listening();
    network.replyTo = () => ({ status, body: { code } });
    network.cut();
    await pass(10 * minute);
    expect(state()[0]).toBe('reconnecting');
    delete network.replyTo;
    await pass(2 * minute);
    expect(state()).toEqual(['live', null]);
    expect(await sees()).toBe(true);
    inbox.close();
  });
});

describe('Without a WebSocket', () => {
  test('the feed is read every so often, and after an hour it is asked anew where to listen', async () => {
    const { network, service, inbox, state, sees, asked } = await listening({ WebSocket: null });
    expect(state()).toEqual(['polling', null]);
    expect(await sees(20 * second)).toBe(true);
    const reads = await asked('GET /v1/events', 30 * minute);
    expect(reads).toBeGreaterThan(90);
    expect(reads).toBeLessThan(160);
    // Whoever has left a group is told so by nobody.
    service.groupsOf('ann').add('team');
    const { id } = service.create('bob', { group: 'team' });
    const ids = () => inbox.getSnapshot().conversations.map((one) => one.id);
    await pass(minute);
    expect(ids()).toContain(id);
    service.groupsOf('ann').delete('team');
    expect(await asked('GET /v1/live', 59 * minute)).toBeLessThanOrEqual(2);
    await pass(3 * minute);
    expect(ids()).not.toContain(id);
    expect(state()).toEqual(['polling', null]);
    inbox.close();
    expect(await asked('GET /v1/events', 60 * minute)).toBe(0);
    expect(network.requests).toContain('GET /v1/live');
  });

  test('the feed is read as often as is said', async () => {
    const { inbox, asked } = await listening({ WebSocket: null, pollEvery: 2 * minute });
    const reads = await asked('GET /v1/events', 40 * minute);
    expect(reads).toBeGreaterThan(15);
    expect(reads).toBeLessThan(26);
    inbox.close();
  });
});
