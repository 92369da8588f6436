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
  const getOwnChannel = (member: Member) =>
    getLive(member).channels[0] ?? { name: '', feed: '', place: 0 };

  const listen = async (member: Member) => {
    const { url, host } = getLive(member);
    const one = await connectListener({ url, host }, member.token);
    listeners.push(one);
    one.send({ type: 'connection_init' });
    await one.waitForFrame('connection_ack');
    return one;
  };

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
      const reply = await one.subscribe('own', getOwnChannel(member).name);
      expect(reply).toEqual({ type: 'subscribe_success', id: 'own' });
    }
    const { name: channel } = getOwnChannel(bob);
    const aws = await startAwsClient({
      endpoint: endpointOf(getLive(bob)),
      channel,
      token: bob.token,
    });
    clients.push(aws);

    const { id: conversation_id } = await call(ann, createConversation, {
      body: { contact_id: bob.id },
    });
    const message = await call(ann, sendMessage, { body: { conversation_id, message: 'Live!' } });
    const findCreated = (events: unknown[]) =>
      v.parse(v.array(Event), events).find(({ payload }) => payload?.id === message.id);
    await eventually(async () => {
      expect(findCreated(bobsListener.getEvents('own'))).toMatchObject({
        type: 'message.created',
        feed: getOwnChannel(bob).feed,
        payload: { ...message, contact: expect.objectContaining({ id: ann.id }) },
      });
      expect(findCreated(annsListener.getEvents('own'))).toMatchObject({
        feed: getOwnChannel(ann).feed,
      });
      expect(findCreated(aws.received)).toEqual(findCreated(bobsListener.getEvents('own')));
    });

    const inFeed = await findInFeed(bob, getLive(bob).cursor, message.id);
    const { payload: _, ...pushed } = findCreated(bobsListener.getEvents('own')) ?? {};
    expect(inFeed).toMatchObject(pushed);
  });

  test('cannot subscribe to another user’s channel, to a wildcard, or with an invalid token', async () => {
    const one = await listen(carol);
    const { name } = getOwnChannel(ann);
    const stars = ['/inbox/*', name.replace(/[^/]*$/, '*'), '/*'];
    for (const [n, channel] of [name, ...stars].entries()) {
      expect(await one.subscribe(`no-${n}`, channel)).toMatchObject({ type: 'subscribe_error' });
    }
    const own = getOwnChannel(carol).name;
    expect(await one.subscribe('bad', own, 'x.y.z')).toMatchObject({ type: 'subscribe_error' });
    await expect(
      startAwsClient({ endpoint: endpointOf(getLive(carol)), channel: name, token: carol.token }),
    ).rejects.toThrow();
  });
});
