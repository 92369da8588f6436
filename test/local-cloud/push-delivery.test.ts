import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import type { DeliveryFault } from '../../local-cloud/push/event-hub.ts';
import { env } from '../../shared/env.ts';
import { type LiveReader, startLiveReader } from '../support/processes/live-reader.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { sized } from '../support/setup/sample-size.ts';
import { temporaryFolder } from './small-stack.ts';

const Created = v.object({ id: v.string() });
const Page = v.object({ data: v.array(v.unknown()) });
const [listeners, senders, messages] = [sized(20, 100), sized(4, 10), sized(5, 10)];

describe('A crowd that listens to a group', () => {
  let cloud: Cloud;
  let spoil: () => DeliveryFault | undefined = () => undefined;
  let readers: LiveReader[] = [];
  let conversation: string;
  const sent: string[] = [];

  const tokenOf = (who: string) => cloud.token(who, { groups: ['crowd'] });
  const eventsOf = async (who: string) => {
    const headers = { Authorization: `Bearer ${await tokenOf(who)}` };
    const response = await fetch(`${cloud.url}/v1/events`, { headers });
    return v.parse(Page, await response.json()).data;
  };
  const post = async (who: string, path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${await tokenOf(who)}`,
      'Content-Type': 'application/json',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${cloud.url}/v1/${path}`, init);
    return v.parse(Created, await response.json()).id;
  };
  const sendAll = async (text: string) => {
    const each = Array.from({ length: senders }, async (_, n) => {
      for (let m = 0; m < messages; m += 1) {
        const body = { conversation_id: conversation, message: `${text} ${n} ${m}` };
        sent.push(await post(`sender-${n}`, 'messages', body));
      }
    });
    await Promise.all(each);
  };
  const hasAll = ({ known }: LiveReader) => sent.every((id) => known.has(id));

  beforeAll(async () => {
    cloud = await startCloud({
      port: 0,
      dataDirectory: temporaryFolder(),
      inMemory: true,
      assembly: await readAssembly(env('TEST_ASSEMBLY')),
      onDelivery: () => spoil(),
    });
    conversation = await post('sender-0', 'conversations', { group_id: 'crowd' });
    // The event is in the feed before any subscription, so no push of it is pending.
    await waitUntil(async () => (await eventsOf('sender-0')).length > 0);
    readers = await Promise.all(
      Array.from({ length: listeners }, async (_, n) =>
        startLiveReader(cloud.url, await tokenOf(`listener-${n}`)),
      ),
    );
  });
  afterAll(async () => {
    for (const one of readers) one.close();
    await cloud.stop();
  });

  test('receives every message of concurrent senders by push', async () => {
    const before = readers.map((one) => one.repaired());
    await sendAll('held');
    await waitUntil(() => readers.every(hasAll));
    expect(readers.map((one) => one.repaired())).toEqual(before);
  });

  test('repairs lost, late and interrupted pushes from the feed', async () => {
    let n = 0;
    spoil = () => {
      n += 1;
      if (n % 3 === 0) return 'lose';
      return n % 5 === 0 ? 50 : undefined;
    };
    const sending = sendAll('spoiled');
    cloud.push?.dropConnections();
    await Promise.all(readers.map((one) => one.socket().closed));
    await Promise.all(readers.map((one) => one.connect()));
    await sending;
    spoil = () => undefined;
    // The next received push reveals the missing ones.
    sent.push(
      await post('sender-0', 'messages', { conversation_id: conversation, message: 'last' }),
    );
    await waitUntil(() => readers.every(hasAll));
    expect(readers.some((one) => one.repaired() > 0)).toBe(true);
  });
});
