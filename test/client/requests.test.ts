import { describe, expect, jest, test } from '@jest/globals';
import { createClient, live } from '../../client/src/index.ts';
import { getHour } from './simulation/simulated-feeds.ts';
import { createSimulatedNetwork, type Network } from './simulation/simulated-network.ts';
import { createSimulatedService } from './simulation/simulated-service.ts';
import {
  advanceTime,
  createSimulation,
  useSeededRandom,
  useSimulatedTime,
} from './simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

const toToken = (sub: string) => `x.${btoa(JSON.stringify({ sub }))}.x`;

/** Starts a service and, for each person, a network, a client and a live inbox. */
function createPeople(people: readonly string[]) {
  useSeededRandom(17);
  const networks = new Map<string, Network>();
  const service = createSimulatedService({
    chance: Math.random,
    push: (feed, event) => {
      for (const network of networks.values())
        network.publish(`/inbox/${feed}/${getHour(Date.now())}`, event);
    },
  });
  const clients = people.map((person) => {
    const network = createSimulatedNetwork(Math.random, (...request) =>
      service.respond(person, ...request),
    );
    networks.set(person, network);
    const { fetch, WebSocket } = network;
    const client = createClient({ url: 'http://simulated', token: toToken(person), fetch });
    return { person, network, client, inbox: live(client, { WebSocket }) };
  });
  return { service, clients };
}

test('While two clients exchange 50 messages and mark them as read, they send at most 25 other requests', async () => {
  const { service, clients } = createPeople(['ann', 'bob']);
  const { id } = service.create('bob', { contact: 'ann' });
  await advanceTime(minute);
  const open = clients.map(({ inbox }) => inbox.open(id));
  await advanceTime(minute);
  for (const one of open)
    one.subscribe(() => {
      one.markRead();
    });
  for (const { network } of clients) network.requests.length = 0;
  for (let n = 0; n < 50; n += 1) {
    open[n % 2]?.send({ message: `${n}` });
    await advanceTime(100);
  }
  await advanceTime(10 * second);
  const requests = clients.flatMap(({ network }) => network.requests);
  const sends = requests.filter((one) => one === 'POST /v1/messages');
  expect(sends).toHaveLength(50);
  expect(requests.length - sends.length).toBeLessThanOrEqual(25);
  for (const { inbox } of clients) {
    expect(inbox.getSnapshot().conversations[0]).toMatchObject({
      unread_count: 0,
      last_message: { message: '49' },
    });
    inbox.close();
  }
});

describe('A second list', () => {
  test('shares the connection and the feed of the first list, and stays up to date', async () => {
    const { service, network, client } = createSimulation(3);
    const conversation = service.create('bob', { contact: 'ann' });
    const inbox = live(client, {
      WebSocket: network.WebSocket,
      conversations: { exclude: ['archived'] },
    });
    await advanceTime(minute);
    network.requests.length = 0;
    const archived = inbox.list({ archived: true });
    await advanceTime(minute);
    expect(network.requests).toEqual(['GET /v1/conversations']);
    expect(network.connections()).toBe(1);
    const ids = () =>
      [inbox, archived].map((one) => one.getSnapshot().conversations.map(({ id }) => id));
    expect(ids()).toEqual([[conversation.id], []]);
    service.respond('ann', 'PUT', `/v1/conversations/${conversation.id}`, { archived_at: 1 });
    await advanceTime(10 * second);
    expect(ids()).toEqual([[], [conversation.id]]);
    expect(archived.getSnapshot().status).toBe('live');
    archived.close();
    service.respond('ann', 'PUT', `/v1/conversations/${conversation.id}`, { archived_at: null });
    await advanceTime(10 * second);
    expect(ids()).toEqual([[conversation.id], [conversation.id]]);
    inbox.close();
  });

  test('that is added before the first load causes only one more list request', async () => {
    const { network, client } = createSimulation(3);
    const inbox = live(client, { WebSocket: network.WebSocket });
    inbox.list({ archived: true });
    await advanceTime(minute);
    expect(network.requests.filter((one) => one === 'GET /v1/conversations')).toHaveLength(2);
    inbox.close();
  });
});

test('Before GET /v1/live returns, an opened conversation loads, but the list and the connection wait', async () => {
  const { service, network, client } = createSimulation(3);
  const { id } = service.create('bob', { contact: 'ann' });
  network.conditions.replyDelay = () => 10 * second;
  const starts: [string, number][] = [];
  const begin = Date.now();
  const record = (request: string) =>
    starts.push([request, Math.floor((Date.now() - begin) / second)]);
  network.overrideReply = (request) => {
    record(request);
    return undefined;
  };
  network.overrideFrame = ({ type }) => {
    if (type === 'connection_init') record('connection');
    return undefined;
  };
  const inbox = live(client, { WebSocket: network.WebSocket });
  inbox.open(id);
  await advanceTime(19 * second);
  expect(starts.sort()).toEqual([
    ['GET /v1/conversations', 10],
    ['GET /v1/conversations/'.concat(id), 0],
    ['GET /v1/live', 0],
    // The messages load immediately, and again after GET /v1/live returns the cursor.
    ['GET /v1/messages', 0],
    ['GET /v1/messages', 10],
    ['connection', 10],
  ]);
  inbox.close();
});

describe('In a group of 20 listeners', () => {
  /** Starts the listeners. `takeReads` returns the number of feed reads since its last call. */
  async function listen() {
    const people = Array.from({ length: 20 }, (_, n) => `person-${n}`);
    const { service, clients } = createPeople(people);
    for (const person of people) service.getGroups(person).add('team');
    const conversation = service.create('person-0', { group: 'team' });
    await advanceTime(2 * minute);
    const reads: number[] = [];
    for (const { network } of clients)
      network.overrideReply = (request) => {
        if (request === 'GET /v1/events') reads.push(Date.now());
        return undefined;
      };
    const takeReads = () => {
      const perSecond = Map.groupBy(reads, (at) => Math.floor(at / second));
      const maxPerSecond = Math.max(0, ...[...perSecond.values()].map(({ length }) => length));
      return { count: reads.splice(0).length, maxPerSecond };
    };
    const close = () => {
      for (const { inbox } of clients) inbox.close();
    };
    return { service, clients, conversation, takeReads, close };
  }

  test('ten pushes without a payload cause 20 to 30 feed reads, at most six per second', async () => {
    const { service, conversation, takeReads, close } = await listen();
    for (let n = 0; n < 10; n += 1) {
      // Changing the pinned message publishes a conversation event, whose push has no payload.
      service.respond('person-0', 'PUT', `/v1/conversations/${conversation.id}`, {
        pinned_message_id: null,
      });
      await advanceTime(100);
    }
    await advanceTime(15 * second);
    const { count, maxPerSecond } = takeReads();
    // A listener that reads the feed before the last push may read it again for the later pushes.
    expect(count).toBeGreaterThanOrEqual(20);
    expect(count).toBeLessThanOrEqual(30);
    expect(maxPerSecond).toBeLessThanOrEqual(6);
    close();
    expect(jest.getTimerCount()).toBeLessThan(60);
  });

  test('a long message causes one feed read per listener, and ten reactions to it cause none', async () => {
    const { service, clients, conversation, takeReads, close } = await listen();
    const open = clients.map(({ inbox }) => inbox.open(conversation.id));
    await advanceTime(minute);
    takeReads();
    const { id } = service.send('person-0', conversation, 'x'.repeat(30_000));
    await advanceTime(15 * second);
    const { count, maxPerSecond } = takeReads();
    expect(count).toBe(20);
    expect(maxPerSecond).toBeLessThanOrEqual(6);
    for (let n = 0; n < 10; n += 1) {
      service.respond('person-0', 'PUT', `/v1/messages/${id}`, {
        reactions: { like: [`person-${n}`] },
      });
      await advanceTime(second);
    }
    await advanceTime(15 * second);
    expect(takeReads()).toEqual({ count: 0, maxPerSecond: 0 });
    for (const one of open) {
      expect(one.getSnapshot().messages[0]).toMatchObject({
        message: 'x'.repeat(30_000),
        reactions: [{ like: ['person-9'] }],
      });
    }
    close();
  });
});
