import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { env } from '../../shared/env.ts';
import { startCloudProcess } from '../soak/cloud/cloud-process.ts';
import { findChildren } from '../soak/memory/process-memory.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { runWebhooks, startPartner } from '../support/processes/webhook-partner.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-killed-webhooks-'));
// Reuses the synthesis of the tests.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(dataDirectory, 'synthesis'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const messagesPerKill = 10;

thoroughTest(
  'each message arrives at the endpoint, also if the live worker, the sender and the table are killed',
  async () => {
    const cloud = await startCloudProcess(dataDirectory, () => {}, 'disk');
    const partner = await startPartner((one) =>
      partner.received.indexOf(one) % 3 === 2 ? 500 : 204,
    );
    try {
      await runWebhooks(dataDirectory, 'add', partner.url, '--types', 'message.created');
      const token = await (await openLocalIssuer(dataDirectory)).token('ann', {});
      const client = createClient({ url: cloud.url, token: () => token });
      const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
      const sent = new Set<string>();
      for (const process of ['host', 'java', 'host', 'java'] as const) {
        for (let n = 0; n < messagesPerKill; n++) {
          // The client retries, with an Idempotency-Key.
          const { id } = await client.messages.send({ conversation_id, message: `Message ${n}` });
          sent.add(`${id}-1`);
        }
        globalThis.process.kill(findChildren(cloud.pid)[process] ?? 0, 'SIGKILL');
      }
      // SQS repeats what a killed sender had received after three minutes.
      const arrived = () => new Set(partner.received.map(({ headers }) => headers['webhook-id']));
      await waitUntil(() => [...sent].every((id) => arrived().has(id)), 15 * 60_000);
      expect(sent.size).toBe(4 * messagesPerKill);
    } finally {
      await cloud.stop();
      partner.stop();
    }
  },
  20 * 60_000,
);
