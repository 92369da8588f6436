import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  createConversation,
  listEvents,
  retrieveLive,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { Event } from '../../shared/contract/resources/event.ts';
import type { Live } from '../../shared/contract/resources/live.ts';
import { listSchema } from '../../shared/contract/schema/list-schema.ts';
import { getLinkQuery } from '../response-invariants/page-rules.ts';
import { type AwsClient, startAwsClient } from '../support/processes/aws-client.ts';
import { connectListener, type Listener } from '../support/processes/push-listener.ts';
import { call, type Member, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

/** Returns the endpoint for AWS's client. A local cloud has no TLS. */
const endpointOf = ({ url, host }: Live) =>
  `${url.startsWith('wss:') ? 'https' : 'ws'}://${host}/event`;

const Page = listSchema(Event);

/** Returns the first event of the resource since a cursor. Other scenarios may add events. */
async function findInFeed(member: Member, starting_after: string, id: string) {
  let query: Record<string, string> = { starting_after, limit: '100' };
  for (;;) {
    const response = await send(member, listEvents, { query });
    const page = v.parse(Page, await response.json());
    const found = page.data.find(({ payload }) => payload?.id === id);
    if (found || !page.has_more) return found;
    query = getLinkQuery(response.headers.get('Link'), 'next') ?? {};
  }
}

describe('A listener', () => {
  const listeners: Listener[] = [];
  const clients: AwsClient[] = [];
  const live = new Map<Member, Live>();
  const getLive = (member: Member): Live => {
    const one = live.get(member);
    if (!one) throw new Error(`${member.id} has not retrieved its channels.`);
    return one;
  };
  /**
   * Returns the member's own channels, latest first. Near the end of an hour, a member has two
   * channels of their own.
   */
  const getOwnChannels = (member: Member) =>
    getLive(member)
      .channels.filter(({ group_id }) => group_id === null)
      .reverse();
  const getLatestChannel = (member: Member) =>
    getOwnChannels(member)[0] ?? { name: '', feed: '', place: 0 };

  const listen = async (member: Member) => {
    const { url, host } = getLive(member);
    const received: unknown[] = [];
    const one = await connectListener({ url, host }, member.token, (event) => received.push(event));
    listeners.push(one);
    one.send({ type: 'connection_init' });
    await one.waitForFrame('connection_ack');
    return Object.assign(one, { received });
  };

  /**
   * Subscribes to a member's own channels. All except the latest channel may be refused, because
   * their hours may have ended.
   */
  async function subscribeToOwn(member: Member, subscribe: (name: string) => Promise<unknown>) {
    const [latest, ...earlier] = getOwnChannels(member);
    await Promise.allSettled(earlier.map(({ name }) => subscribe(name)));
    await subscribe(latest?.name ?? '');
  }

  beforeAll(async () => {
    for (const member of [ann, bob, carol]) live.set(member, await call(member, retrieveLive));
  });
  afterAll(async () => {
    for (const one of listeners) one.close();
    await Promise.all(clients.map((one) => one.close()));
  });

  test('receives a message as sender or recipient on a WebSocket, and as recipient with AWS’s client', async () => {
    const [annsListener, bobsListener] = [await listen(ann), await listen(bob)];
    for (const [member, one] of [
      [ann, annsListener],
      [bob, bobsListener],
    ] as const) {
      await subscribeToOwn(member, async (name) => {
        const id = `own-${name.split('/').at(-1)}`;
        expect(await one.subscribe(id, name)).toEqual({ type: 'subscribe_success', id });
      });
    }
    const { token } = bob;
    await subscribeToOwn(bob, async (channel) => {
      clients.push(await startAwsClient({ endpoint: endpointOf(getLive(bob)), channel, token }));
    });

    const { id: conversation_id } = await call(ann, createConversation, {
      body: { contact_id: bob.id },
    });
    const message = await call(ann, sendMessage, { body: { conversation_id, message: 'Live!' } });
    const findCreated = (events: unknown[]) =>
      v.parse(v.array(Event), events).find(({ payload }) => payload?.id === message.id);
    await eventually(async () => {
      expect(findCreated(bobsListener.received)).toMatchObject({
        type: 'message.created',
        feed: getLatestChannel(bob).feed,
        payload: { ...message, contact: expect.objectContaining({ id: ann.id }) },
      });
      expect(findCreated(annsListener.received)).toMatchObject({
        feed: getLatestChannel(ann).feed,
      });
      expect(findCreated(clients.flatMap(({ received }) => received))).toEqual(
        findCreated(bobsListener.received),
      );
    });

    const inFeed = await findInFeed(bob, getLive(bob).cursor, message.id);
    const { payload: _, ...pushed } = findCreated(bobsListener.received) ?? {};
    expect(inFeed).toMatchObject(pushed);
  });

  test('cannot subscribe to another user’s channel, to a wildcard, or with an invalid token', async () => {
    const one = await listen(carol);
    const { name } = getLatestChannel(ann);
    const stars = ['/inbox/*', name.replace(/[^/]*$/, '*'), '/*'];
    for (const [n, channel] of [name, ...stars].entries()) {
      expect(await one.subscribe(`no-${n}`, channel)).toMatchObject({ type: 'subscribe_error' });
    }
    const own = getLatestChannel(carol).name;
    expect(await one.subscribe('bad', own, 'x.y.z')).toMatchObject({ type: 'subscribe_error' });
    await expect(
      startAwsClient({ endpoint: endpointOf(getLive(carol)), channel: name, token: carol.token }),
    ).rejects.toThrow();
  });
});
