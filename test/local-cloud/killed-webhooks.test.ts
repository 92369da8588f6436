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
    const seen = new Set<unknown>();
    const accepted = new Set<unknown>();
    const partner = await startPartner(({ headers }) => {
      const id = headers['webhook-id'];
      // Every third event is refused once.
      const isRefused = !seen.has(id) && seen.size % 3 === 2;
      seen.add(id);
      if (isRefused) return 500;
      accepted.add(id);
      return 204;
    });
    try {
      await runWebhooks(dataDirectory, 'add', partner.url, '--types', 'message.created');
      const token = await (await openLocalIssuer(dataDirectory)).token('ann', {});
      const client = createClient({ url: cloud.url, token: () => token });
      const { id: conversation_id } = await client.conversations.create({ contact_id: 'bob' });
      const sent = new Set<string>();
      for (const victim of ['host', 'java', 'host', 'java'] as const) {
        for (let n = 0; n < messagesPerKill; n++) {
          // The client retries, with an Idempotency-Key.
          const { id } = await client.messages.send({ conversation_id, message: `Message ${n}` });
          sent.add(`${id}-1`);
        }
        const pid = findChildren(cloud.pid)[victim];
        if (pid) process.kill(pid, 'SIGKILL');
      }
      // SQS repeats what a killed sender had received after three minutes.
      await waitUntil(() => [...sent].every((id) => accepted.has(id)), 15 * 60_000);
      expect(sent.size).toBe(4 * messagesPerKill);
    } finally {
      await cloud.stop();
      partner.stop();
    }
  },
  20 * 60_000,
);
