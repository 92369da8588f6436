import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type PushServer, startPushServer } from '../../../local-cloud/push/push-server.ts';
import { clock, toSeconds } from '../../../shared/clock.ts';
import { examples } from '../../../shared/contract/examples.ts';
import type { Event } from '../../../shared/contract/resources/event.ts';
import { type Inbox, toFeedName } from '../../../shared/inbox.ts';
import { getPublishChannels } from '../../../shared/push/channels.ts';
import { publishEvents } from '../../../shared/push/publish-events.ts';
import { type AwsClient, startAwsClient } from '../../support/processes/aws-client.ts';
import { connectListener } from '../../support/processes/push-listener.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';

const arn = 'arn:aws:appsync:us-east-1:000000000000:apis/abc';
const api = {
  id: 'abc',
  arn,
  authorizer: 'authorizer',
  tokenForm: /./,
  namespaces: new Set(['inbox']),
};
const ann: Inbox = { kind: 'contact', id: 'ann' };

const event = (place: number): Event => ({
  id: `event-${place}`,
  type: 'message.created',
  created_at: 1_800_000_000,
  version: 1,
  feed: toFeedName(ann),
  place,
  payload: examples['messages/retrieve'].reply,
});

describe("AWS's own client, unmodified,", () => {
  let server: PushServer;
  let endpoint: string;
  const clients: AwsClient[] = [];
  beforeAll(async () => {
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_SECRET_ACCESS_KEY: 'local' });
    delete process.env.AWS_SESSION_TOKEN;
    const worker = { functionId: 'worker', session: 'worker', decide: () => 'allow' as const };
    server = await startPushServer({
      createApi: api,
      callers: new Map([[process.env.AWS_ACCESS_KEY_ID ?? '', worker]]),
      invoke: async (_, asked) => {
        const text = JSON.stringify(asked);
        const isAuthorized = text.includes('Token good') && !text.includes('/inbox/other');
        return { ok: true, reply: JSON.stringify({ isAuthorized, ttlOverride: 0 }) };
      },
      now: () => clock.now(),
    });
    Object.assign(process.env, server.variables);
    endpoint = `ws://${server.host}/event`;
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await server.stop();
  });

  test('receives what the service publishes, as a plain WebSocket does', async () => {
    const [channel = ''] = getPublishChannels(ann, toSeconds(clock.now()));
    const aws = await startAwsClient({ endpoint, channel, token: 'good' });
    clients.push(aws);
    const plain = await connectListener({ url: `${endpoint}/realtime`, host: server.host }, 'good');
    plain.say({ type: 'connection_init' });
    await plain.heard('connection_ack');
    await plain.subscribe('a', channel);
    const events = [1, 2, 3, 4, 5, 6, 7].map(event);
    expect(await publishEvents(ann, events)).toBe(0);
    await waitUntil(() => aws.received.length === 7 && plain.getEvents('a').length === 7);
    expect(aws.received).toEqual(events);
    expect(plain.getEvents('a')).toEqual(events);
    plain.close();
  });

  test('receives an error if it may not subscribe', async () => {
    const channel = '/inbox/other/1';
    await expect(startAwsClient({ endpoint, channel, token: 'good' })).rejects.toThrow(
      /nauthorized/,
    );
  });
});
