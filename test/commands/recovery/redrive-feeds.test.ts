import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { redrive } from '../../../commands/recovery/redrive.ts';
import { findRunningStage, toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import { listen } from '../../../local-cloud/listen.ts';
import type { TableFault } from '../../../local-cloud/table/table-proxy.ts';
import { Event } from '../../../shared/contract/resources/event.ts';
import { Live } from '../../../shared/contract/resources/live.ts';
import { env } from '../../../shared/env.ts';
import { feedMaintenanceKey } from '../../../shared/table/keys/keys.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';
import { findChildren, killChild } from '../../soak/memory/process-memory.ts';
import { createFeedState } from '../../support/processes/feed-state.ts';
import { raiseTimeouts } from '../../support/processes/raise-timeouts.ts';
import { terminalEnvironment } from '../../support/processes/run-command.ts';
import { waitUntil } from '../../support/processes/wait-until.ts';
import { thoroughDescribe, thoroughTest } from '../../support/setup/sample-size.ts';

const Created = v.object({ id: v.string() });
const Page = v.object({ has_more: v.boolean(), data: v.array(v.unknown()) });
const dataDirectory = temporaryFolder();
const users = ['ann', 'bob', 'carl'] as const;
type UserId = (typeof users)[number];

let cloud: Cloud;
let tokens: Record<UserId, string>;
/** The fault to inject into the live worker's table calls, if any. */
let fault: TableFault | undefined;
const printed: string[] = [];

async function sendRequest(userId: UserId, method: string, path: string, body?: object) {
  const response = await fetch(`${cloud.url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${tokens[userId]}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const link = /<[^>]*\?([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return { status: response.status, link, body: (await response.json()) as unknown };
}
const createResource = async (userId: UserId, path: string, body: object) =>
  v.parse(Created, (await sendRequest(userId, 'POST', path, body)).body).id;
const send = (conversation_id: string, message: string) =>
  createResource('ann', 'messages', { conversation_id, message });

const readCursor = async (userId: UserId) =>
  v.parse(Live, (await sendRequest(userId, 'GET', 'live')).body).cursor;

/** Returns the status, the message ids in the resulting client state, and the number of events. */
async function readEvents(userId: UserId, cursor: string) {
  const { status, body } = await sendRequest(
    userId,
    'GET',
    `events?limit=100&starting_after=${cursor}`,
  );
  if (status !== 200) return { status, ids: [], count: 0 };
  const state = createFeedState();
  const { data } = v.parse(Page, body);
  for (const event of data) state.apply(v.parse(Event, event));
  return { status, ids: [...state.messages().keys()].sort(), count: data.length };
}

const countFailures = () =>
  [...cloud.queues].filter(([id]) => id.startsWith('LiveFailures')).flatMap(([, all]) => all)
    .length;

/** Restarts the functions so that none has cached the feeds' epoch. */
async function restartFunctions() {
  const host = killChild(process.pid, 'host');
  if (!host) throw new Error('No function host is running.');
  await waitUntil(() => findChildren(process.pid).host !== host);
}

/** Starts an SQS proxy that rejects one action and forwards all others to the queues. */
async function rejectAction(action: string, endpoint: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const target = String(request.headers['x-amz-target']);
    const type = { 'Content-Type': 'application/x-amz-json-1.0' };
    if (target.endsWith(`.${action}`)) {
      response.writeHead(400, type).end(JSON.stringify({ __type: 'InvalidAddress' }));
      return;
    }
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: { ...type, 'X-Amz-Target': target },
      body: Buffer.concat(chunks),
    });
    response.writeHead(reply.status, type).end(await reply.text());
  });
  const { port, close } = await listen(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, close };
}

const run = promisify(execFile);
const runRedrive = async (...options: string[]) => {
  const bin = join(import.meta.dirname, '../../../bin/redrive.ts');
  const command = [bin, '--data', dataDirectory, ...options];
  return (await run(process.execPath, command, { env: terminalEnvironment() })).stdout;
};

thoroughDescribe('Feeds of a running local cloud', () => {
  beforeAll(async () => {
    const assembly = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
    for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
      if (Type === 'AWS::SQS::Queue') Object.assign(Properties, { VisibilityTimeout: 1 });
      // Only stream mappings have a starting position.
      if (!('StartingPosition' in Properties)) continue;
      // Reduces the retries and removes the batching window, to make the test faster.
      Object.assign(Properties, { MaximumRetryAttempts: 1, MaximumBatchingWindowInSeconds: 0 });
    }
    cloud = await startCloud({
      port: 0,
      inMemory: true,
      dataDirectory,
      assembly,
      onTableCall: ({ functionId }) => (functionId.startsWith('Live') ? fault : undefined),
      log: (line) => printed.push(line),
    });
    const each = users.map(async (userId) => [userId, await cloud.token(userId)] as const);
    tokens = Object.fromEntries(await Promise.all(each)) as Record<UserId, string>;
  });
  afterAll(() => cloud.stop());

  thoroughTest(
    'lack events that the live worker failed to publish, and `redrive` expires all cursors once, even after an interrupted run',
    async () => {
      const before = await readCursor('bob');
      const id = await createResource('ann', 'conversations', { contact_id: 'bob' });
      // Waits for the conversation's event, which could otherwise be counted as a failure.
      await waitUntil(async () => (await readEvents('bob', before)).count > 0);
      const start = await readCursor('bob');
      const idleCursor = await readCursor('carl');
      fault = 'throttle';
      const missing = [await send(id, 'one'), await send(id, 'two')];
      await waitUntil(() => countFailures() === missing.length);
      fault = undefined;
      const delivered = await send(id, 'three');
      await waitUntil(async () => (await readEvents('bob', start)).ids.includes(delivered));
      // Without the command, clients cannot detect the gap.
      expect(await readEvents('bob', start)).toEqual({ status: 200, ids: [delivered], count: 1 });

      // The command fails before it has emptied the queue.
      const count = countFailures();
      const stage = await findRunningStage(undefined, dataDirectory);
      const failing = await rejectAction('DeleteMessage', stage.sqs.endpoint ?? '');
      await expect(
        redrive({ ...stage, sqs: { ...stage.sqs, endpoint: failing.endpoint } }),
      ).rejects.toThrow();
      await failing.close();
      expect(countFailures()).toBe(count);
      // Received messages are hidden from other consumers for the visibility timeout.
      await waitUntil(async () => (await runRedrive()).includes('Expired all cursors'));

      for (const times of [1, 2]) {
        if (times === 2) expect(await runRedrive()).not.toContain('Expired all cursors');
        await restartFunctions();
        for (const [userId, cursor] of [
          ['bob', start],
          ['carl', idleCursor],
        ] as const) {
          // A request in progress when the process is killed fails with status 502.
          await waitUntil(async () => (await readEvents(userId, cursor)).status < 500);
          expect((await readEvents(userId, cursor)).status).toBe(410);
        }
      }
      expect(countFailures()).toBe(0);

      // The client's steps in docs/live.md: get a cursor, list, then read the feed from the cursor.
      const cursor = await readCursor('bob');
      const { body } = await sendRequest('bob', 'GET', `messages?conversation_id=${id}&peek=true`);
      expect(v.parse(v.array(Created), v.parse(Page, body).data).map((one) => one.id)).toEqual([
        delivered,
        ...missing.toReversed(),
      ]);
      expect(await readEvents('bob', cursor)).toEqual({ status: 200, ids: [], count: 0 });
      const next = await send(id, 'four');
      await waitUntil(async () => (await readEvents('bob', cursor)).ids.includes(next));
      expect(await readEvents('bob', cursor)).toEqual({ status: 200, ids: [next], count: 1 });
    },
  );

  thoroughTest(
    'reject all earlier cursors after `redrive --expire-cursors`, even if no queue contains failures',
    async () => {
      expect(countFailures()).toBe(0);
      const cursor = await readCursor('carl');
      expect(await runRedrive()).not.toContain('Expired all cursors');
      expect(await runRedrive('--expire-cursors')).toContain('Expired all cursors, as requested.');
      await restartFunctions();
      await waitUntil(async () => (await readEvents('carl', cursor)).status < 500);
      expect((await readEvents('carl', cursor)).status).toBe(410);
      expect((await readEvents('carl', await readCursor('carl'))).status).toBe(200);
    },
  );

  thoroughTest(
    'get a new maintenance item after the previous one expires, and while the item exists, `redrive --feeds` restores nothing',
    async () => {
      const table = DynamoDBDocumentClient.from(
        new DynamoDBClient(toLocalServiceConfig(cloud.tableEndpoint)),
      );
      const Key = feedMaintenanceKey({ kind: 'contact', id: 'ann' });
      const check = async () =>
        (await table.send(new GetCommand({ TableName: cloud.tableName, Key }))).Item?.expires_at;
      const first = await check();
      expect(first).toBeGreaterThan(Date.now() / 1000 + 29 * 24 * 60 * 60);
      expect(await runRedrive('--feeds')).toContain('Feeds whose maintenance was restored: 0\n');
      // Like a TTL deletion, this deletion invokes the purge worker, which creates a new item.
      await table.send(new DeleteCommand({ TableName: cloud.tableName, Key }));
      await waitUntil(async () => (await check()) !== undefined);
      expect(await check()).toBeGreaterThan(Date.now() / 1000 + 29 * 24 * 60 * 60);
      table.destroy();
    },
  );
});
