import { afterAll, expect } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import {
  type ReceivedEvent,
  readSecret,
  runWebhooks,
  startPartner,
} from '../support/processes/webhook-partner.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { temporaryFolder } from './small-stack.ts';

/**
 * Number of messages per measurement, above the maximum number of concurrent attempts in the local
 * cloud's slow lane.
 */
const messages = Number(process.env.WEBHOOK_MESSAGES ?? 40);

const data = temporaryFolder();
const partners: { stop(): void }[] = [];
const toStop: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of toStop) await stop();
  for (const partner of partners) partner.stop();
});

async function addPartner(...behavior: Parameters<typeof startPartner>) {
  const partner = await startPartner(...behavior);
  partners.push(partner);
  const { id } = readSecret(
    await runWebhooks(data, 'add', partner.url, '--types', 'message.created'),
  );
  return { ...partner, id };
}

const toMessageId = ({ headers }: ReceivedEvent) =>
  String(headers['webhook-id']).replace(/-1$/, '');

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

thoroughTest(
  'An endpoint that never replies and another that takes 14 seconds increase a healthy endpoint’s median delay less than 20-fold',
  async () => {
    const cloud = await startTestCloud({ dataDirectory: data });
    toStop.push(() => cloud.stop());
    const healthy = await addPartner(() => 204);
    const token = await cloud.token('ann', {});
    const client = createClient({ url: cloud.url, token: () => token });
    const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
    const measureDelay = async () => {
      const sent = new Map<string, number>();
      for (let n = 0; n < messages; n++) {
        const { id } = await client.messages.send({ conversation_id, message: `Message ${n}` });
        sent.set(id, performance.now());
      }
      const arrived = () => new Map(healthy.received.map((one) => [toMessageId(one), one.at]));
      await waitUntil(() => [...sent.keys()].every((id) => arrived().has(id)));
      const times = arrived();
      return median([...sent].map(([id, at]) => (times.get(id) ?? Number.NaN) - at));
    };
    // A new endpoint uses the slow lane until its first fast delivery.
    await measureDelay();
    const delayBefore = await measureDelay();
    const unresponsive = await addPartner(() => undefined);
    const slow = await addPartner(() => 204, 14_000);
    // The sender's endpoint cache expires after ten seconds.
    while (unresponsive.received.length === 0 || slow.received.length === 0) await measureDelay();
    const delayWithOthers = await measureDelay();
    await runWebhooks(data, 'disable', unresponsive.id);
    await runWebhooks(data, 'disable', slow.id);
    const delayAfter = await measureDelay();
    // Without lanes, the ratio exceeds 100, because the healthy endpoint waits for the attempts of
    // the other endpoints.
    expect(delayWithOthers / Math.max(delayBefore, delayAfter)).toBeLessThan(20);
  },
  600_000,
);
