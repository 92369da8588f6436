import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { saveBusinesses } from '../../commands/businesses/save-businesses.ts';
import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import { openTable } from '../../commands/stage/stage-table.ts';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { env } from '../../shared/env.ts';
import { type CloudProcess, startCloudProcess } from '../soak/cloud/cloud-process.ts';
import { killChild } from '../soak/memory/process-memory.ts';
import { createBusinessRecord } from '../support/seeds/seed-businesses.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-killed-replies-'));
// Reuses the assembly that the test run synthesized.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(dataDirectory, 'synthesis'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const auto_reply = 'We are closed.';
/** This business is never open, so its closed period outlasts the test. */
const shop = createBusinessRecord('shop', {
  status: 'active',
  timezone: 'UTC',
  work_time: {},
  auto_reply,
});

const customers = Array.from({ length: 12 }, (_, n) => `customer-${n}`);
const Created = v.object({ id: v.string() });
const Page = v.object({ data: v.array(v.object({ message: v.string() })) });

let cloud: CloudProcess;
const start = () => startCloudProcess(dataDirectory, () => {}, 'disk');

/**
 * Repeats a request until it succeeds. Throws on a 4xx reply. Sends `key` as the Idempotency-Key.
 */
async function call(token: string, path: string, body?: object, key?: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${cloud.url}/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined);
    const reply: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && reply !== undefined) return reply;
    if (response && response.status < 500 && !response.ok) throw new Error(JSON.stringify(reply));
    await sleep(100);
  }
}

const kills = [
  () => killChild(cloud.pid, 'host'),
  () => killChild(cloud.pid, 'java'),
  async () => {
    await cloud.kill();
    cloud = await start();
  },
];

thoroughTest(
  'each customer gets exactly one automatic reply, even if processes are killed while customers send messages',
  async () => {
    cloud = await start();
    try {
      const table = openTable(cloud.tableName, toLocalServiceConfig(cloud.tableEndpoint));
      await saveBusinesses(table, [shop]);
      table.client.destroy();
      const issuer = await openLocalIssuer(dataDirectory);
      const tokens = await Promise.all(customers.map((id) => issuer.token(id, {})));
      const sendQuestions = async (token: string, n: number) => {
        const body = { business_id: shop.public_id, distinct: true };
        const { id } = v.parse(Created, await call(token, 'conversations', body, `open ${n}`));
        for (const text of ['Hello?', 'Anyone?']) {
          const message = { conversation_id: id, message: text };
          await call(token, 'messages', message, `${n} ${text}`);
        }
        return id;
      };
      const ids: string[] = [];
      const share = customers.length / kills.length;
      for (const [n, kill] of kills.entries()) {
        const pending = tokens
          .slice(n * share, (n + 1) * share)
          .map((token, m) => sendQuestions(token, n * share + m));
        await pending[0];
        await kill();
        ids.push(...(await Promise.all(pending)));
      }
      const countReplies = async (id: string, n: number) => {
        const page = await call(tokens[n] ?? '', `messages?conversation_id=${id}&limit=100`);
        return v.parse(Page, page).data.filter(({ message }) => message === auto_reply).length;
      };
      const readCounts = () => Promise.all(ids.map(countReplies));
      while ((await readCounts()).includes(0)) await sleep(200);
      // After another crash, workers repeat incomplete work, but must not send a second reply.
      await cloud.kill();
      cloud = await start();
      await call(
        tokens[0] ?? '',
        'messages',
        { conversation_id: ids[0], message: 'Still?' },
        'end',
      );
      await sleep(3000);
      expect(await readCounts()).toEqual(ids.map(() => 1));
    } finally {
      await cloud.stop();
    }
  },
  20 * 60_000,
);
