import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import {
  getIdentityVariables,
  type Issuer,
  openLocalIssuer,
  startKeyServer,
} from '../../local-cloud/issuer.ts';
import { type PushServer, startPushServer } from '../../local-cloud/push/push-server.ts';
import { clock, toSeconds } from '../../shared/clock.ts';
import { examples } from '../../shared/contract/examples.ts';
import type { Event } from '../../shared/contract/resources/event.ts';
import { getInboxes, type Inbox, toFeedName } from '../../shared/inbox.ts';
import { getSubscribableChannels } from '../../shared/push/channels.ts';
import { publishEvents } from '../../shared/push/publish-events.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { createTokenUntil } from '../support/people/create-token.ts';
import { connectListener, type Listener } from '../support/processes/push-listener.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const Authorizer = v.object({ handler: v.function() });
const arn = 'arn:aws:appsync:us-east-1:000000000000:apis/abc';
const api = {
  id: 'abc',
  arn,
  authorizer: 'authorizer',
  tokenForm: /./,
  namespaces: new Set(['inbox']),
};
const team: Inbox = { kind: 'group', id: 'team' };

/** Start of the next hour, in Unix seconds. */
const hourStart = (Math.floor(Date.now() / 3_600_000) + 1) * 3600;

describe('A channel subscription', () => {
  let issuer: Issuer;
  let server: PushServer;
  let keyServer: Awaited<ReturnType<typeof startKeyServer>>;
  let sequence = 0;
  const listeners: Listener[] = [];
  const setTime = (seconds: number) =>
    jest.spyOn(clock, 'now').mockReturnValue((hourStart + seconds) * 1000);

  beforeAll(async () => {
    issuer = await openLocalIssuer(temporaryFolder());
    keyServer = await startKeyServer(issuer);
    Object.assign(process.env, getIdentityVariables(keyServer.keysUrl), {
      AWS_REGION: 'us-east-1',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    const { handler } = v.parse(Authorizer, await import('../../functions/channel-authorizer.ts'));
    const worker = { functionId: 'worker', session: 'worker', decide: () => 'allow' as const };
    server = await startPushServer({
      createApi: api,
      callers: new Map([[process.env.AWS_ACCESS_KEY_ID ?? '', worker]]),
      invoke: async (_, event) => ({ ok: true, reply: JSON.stringify(await handler(event)) }),
      now: () => clock.now(),
    });
    Object.assign(process.env, server.variables);
  });
  afterEach(() => {
    for (const one of listeners.splice(0)) one.close();
  });
  afterAll(async () => {
    await server.stop();
    await keyServer.close();
  });

  /** Connects a team member whose token expires `ends` seconds after `hourStart`. */
  const member = async (ends: number, groups = ['team']) => {
    const token = await createTokenUntil(issuer, hourStart + ends, { groups });
    const { LIVE_URL: url = '' } = server.variables;
    const socket = await connectListener({ url, host: server.host }, token);
    listeners.push(socket);
    socket.send({ type: 'connection_init' });
    await socket.waitForFrame('connection_ack');
    const caller = { id: 'ann', groups, tokenExpiresAt: hourStart + ends };
    let subscriptions = 0;
    const subscribe = async () => {
      const { channels } = getSubscribableChannels(caller, toSeconds(clock.now()));
      for (const { name } of channels) {
        subscriptions += 1;
        const reply = await socket.subscribe(`s${subscriptions}`, name);
        expect(reply.type).toBe('subscribe_success');
      }
    };
    return { socket, subscribe };
  };
  const publishTo = async (inbox: Inbox): Promise<number> => {
    sequence += 1;
    const event: Event = {
      id: `event-${sequence}`,
      type: 'message.created',
      created_at: hourStart,
      version: 1,
      feed: toFeedName(inbox),
      place: sequence,
      payload: examples['messages/retrieve'].reply,
    };
    expect(await publishEvents(inbox, [{ event, keepsContent: false }])).toBe(0);
    return sequence;
  };
  const sequences = ({ frames }: Listener) => [
    ...new Set(
      frames
        .filter(({ type }) => type === 'data')
        .map(
          ({ event }) => v.parse(v.object({ place: v.number() }), JSON.parse(String(event))).place,
        ),
    ),
  ];
  const waitForSequence = async (socket: Listener, one: number) => {
    await waitUntil(() => sequences(socket).includes(one));
    return one;
  };

  test('continues into the next hour if the client resubscribes, and otherwise ends with the hour', async () => {
    setTime(0);
    const [stays, leaves] = [await member(7200), await member(1800)];
    await stays.subscribe();
    await leaves.subscribe();
    const first = await publishTo(team);
    await waitForSequence(stays.socket, first);
    await waitForSequence(leaves.socket, first);

    // The token of `leaves` has expired, but the subscription lasts until the hour ends.
    setTime(3050);
    await stays.subscribe();
    const { socket } = leaves;
    const channel = `/inbox/${toFeedName(team)}/${hourStart / 3600 + 1}`;
    expect(await socket.subscribe('next', channel)).toMatchObject({ type: 'subscribe_error' });
    const second = await publishTo(team);
    await waitForSequence(socket, second);

    const later: number[] = [];
    for (const seconds of [3590, 3600, 3601, 3690, 7000]) {
      setTime(seconds);
      later.push(await publishTo(team));
    }
    for (const one of later) await waitForSequence(stays.socket, one);
    // In the last 90 seconds of an hour, events are published to the channels of both the current
    // and the next hour.
    expect(sequences(socket)).toEqual([first, second, later[0]]);
  });

  test('to a group ends with the hour in which the subscriber’s token expires, and a new token without the group grants access only to the contact’s inbox', async () => {
    setTime(100);
    const before = await member(200);
    await before.subscribe();
    setTime(3100);
    const after = await member(9000, []);
    await after.subscribe();
    expect(
      await after.socket.subscribe('no', `/inbox/${toFeedName(team)}/${hourStart / 3600}`),
    ).toEqual(expect.objectContaining({ type: 'subscribe_error' }));
    setTime(3600);
    const [ownInbox] = getInboxes({ id: 'ann', groups: [] });
    if (!ownInbox) throw new Error('The contact has no inbox.');
    await publishTo(team);
    const ownSequence = await publishTo(ownInbox);
    await waitForSequence(after.socket, ownSequence);
    expect([sequences(before.socket), sequences(after.socket)]).toEqual([[], [ownSequence]]);
  });
});
