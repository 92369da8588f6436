import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import * as v from 'valibot';
import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { ConversationPage } from '../../shared/contract/resources/conversation.ts';
import { EventPage } from '../../shared/contract/resources/event.ts';
import { Live } from '../../shared/contract/resources/live.ts';
import { MessagePage } from '../../shared/contract/resources/message.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';

const root = join(import.meta.dirname, '../..');
const data = temporaryFolder();
const Created = v.object({ id: v.string() });

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data });
});
afterAll(() => cloud.stop());

async function send(userId: string, method: string, path: string, body?: object) {
  const token = await cloud.token(userId, { groups: ['team'], username: `${userId} by name` });
  return fetch(`${cloud.url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function sendRequest(
  userId: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await send(userId, method, path, body);
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const make = async (userId: string, path: string, body: object) =>
  v.parse(Created, await sendRequest(userId, 'POST', path, body)).id;

/** Runs the command as a separate process, because this process serves the API. */
async function run(file: string, ...parameters: string[]) {
  const child = spawn(process.execPath, [file, ...parameters, '--data', data], {
    cwd: root,
    env: terminalEnvironment(),
  });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { status, stdout, stderr };
}

const listMessages = async (userId: string, conversation: string, query = '') =>
  v.parse(
    MessagePage,
    await sendRequest(userId, 'GET', `messages?conversation_id=${conversation}${query}`),
  ).data;

const localClient = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient(toLocalServiceConfig(cloud.tableEndpoint)));

/**
 * Backdates the person's last activity by a day, so that an erasure does not wait for functions'
 * caches.
 */
const makeInactive = (id: string) =>
  localClient().send(
    new UpdateCommand({
      TableName: cloud.tableName,
      Key: contactKey(id),
      UpdateExpression: 'SET last_active_at = :long_ago',
      ExpressionAttributeValues: { ':long_ago': Date.now() - 24 * 60 * 60 * 1000 },
    }),
  );

/**
 * Returns the distinct sort keys of the items that contain the id, with trailing digits removed.
 */
async function findItemTypes(id: string): Promise<string[]> {
  const { Items = [] } = await localClient().send(new ScanCommand({ TableName: cloud.tableName }));
  const asText = (item: object) =>
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
  const found = Items.filter((item) => asText(item).includes(id));
  return [...new Set(found.map(({ sk }) => String(sk).replace(/\d+$/, '')))].sort();
}

describe('With a running local cloud', () => {
  quickTest(
    'a person is exported and erased, and other users see the result of ordinary deletions',
    async () => {
      const direct = await make('ann', 'conversations', { contact_id: 'robert' });
      const team = await make('ann', 'conversations', { group_id: 'team' });
      const hello = await make('ann', 'messages', { conversation_id: direct, message: 'Hello' });
      const replyIds: string[] = [];
      for (let n = 1; n <= 12; n++) {
        replyIds.push(
          await make('robert', 'messages', { conversation_id: direct, message: `Answer ${n}` }),
        );
      }
      const all = await make('ann', 'messages', { conversation_id: team, message: 'To all' });
      await sendRequest('robert', 'PUT', `messages/${all}`, {
        reactions: { thumbsup: ['robert'] },
      });
      await make('robert', 'messages', { conversation_id: team, message: 'From me' });
      const last = await make('ann', 'messages', {
        conversation_id: direct,
        message: 'The last one',
      });
      const { cursor } = v.parse(Live, await sendRequest('ann', 'GET', 'live'));

      const file = join(data, 'robert.ndjson');
      const written = await run('bin/export-person.ts', '--contact', 'robert', '--file', file);
      expect(written).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`of robert to ${file}`),
      });
      expect(written.stderr).toContain('read units');
      expect(readFileSync(file, 'utf8').match(/"kind":"message"/g)).toHaveLength(13);

      const exported = await run('bin/erase-person.ts', '--contact', 'robert');
      expect(exported).toMatchObject({ status: 1, stdout: '' });
      expect(await listMessages('ann', direct, '&limit=100')).toHaveLength(14);

      await makeInactive('robert');
      const erased = await run('bin/erase-person.ts', '--contact', 'robert', '--yes');
      expect(erased).toMatchObject({ status: 0, stderr: '' });
      expect(erased.stdout).toContain('       13  messages they sent');

      // Listing succeeds even if the cursor is a deleted message's id.
      const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);
      expect(ids(await listMessages('ann', direct))).toEqual([last, hello]);
      expect(ids(await listMessages('ann', direct, `&starting_after=${replyIds[5]}`))).toEqual([
        hello,
      ]);
      expect(ids(await listMessages('ann', direct, `&ending_before=${replyIds[5]}`))).toEqual([
        last,
      ]);
      expect((await listMessages('ann', team)).map(({ reactions }) => reactions)).toEqual([[]]);
      await waitUntil(async () => {
        const page = await sendRequest(
          'ann',
          'GET',
          'conversations?expand[]=contact&contact_id=robert',
        );
        const [conversation] = v.parse(ConversationPage, page).data;
        expect(conversation?.id).toBe(direct);
        return conversation?.contact?.username === null;
      });

      // Ann's feed contains an event for each deleted answer and for the removed reaction.
      const events = new Set<string>();
      await waitUntil(async () => {
        const page = await sendRequest('ann', 'GET', `events?limit=100&starting_after=${cursor}`);
        // An event's id begins with its resource's id.
        for (const { type, id } of v.parse(EventPage, page).data) {
          events.add(`${type} ${id.split('-', 1)}`);
        }
        return (
          replyIds.every((id) => events.has(`message.deleted ${id}`)) &&
          events.has(`message.updated ${all}`)
        );
      });

      // Only these items remain: the erasure record, the emptied feed with its maintenance item,
      // the conversation with Ann, and Robert's emptied settings in that conversation.
      expect(await findItemTypes('robert')).toEqual([
        'CHECK',
        'CHUNK#',
        'CONTACT',
        'CONVERSATION',
        'SETTINGS#robert',
      ]);
      // The live worker may append the erasure's events to Robert's feed after an erasure ends.
      await waitUntil(async () => {
        const repeated = await run('bin/erase-person.ts', '--contact', 'robert', '--yes');
        expect(repeated.status).toBe(0);
        if (repeated.stdout.includes('No data of robert found')) return true;
        expect(repeated.stdout).toMatch(/Erased:\n +\d+ {2}entries of their own feed\n\S/);
        return false;
      });
    },
  );

  quickTest(
    '--erased-in erases each person who was erased in the old table, and rejects a missing table',
    async () => {
      const direct = await make('ann', 'conversations', { contact_id: 'rita' });
      await make('rita', 'messages', { conversation_id: direct, message: 'Hello' });
      const client = localClient();
      const TableName = 'of-before';
      const names = ['pk', 'sk'] as const;
      await client.send(
        new CreateTableCommand({
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
          KeySchema: names.map((name, n) => ({
            AttributeName: name,
            KeyType: n ? 'RANGE' : 'HASH',
          })),
        }),
      );
      const Item = { ...contactKey('rita'), id: 'rita', erased_at: 1 };
      await client.send(new PutCommand({ TableName, Item }));

      await makeInactive('rita');
      const erased = await run('bin/erase-person.ts', '--erased-in', TableName, '--yes');
      expect(erased).toMatchObject({ status: 0, stderr: '' });
      expect(erased.stdout).toContain('        1  messages they sent');
      expect(await listMessages('ann', direct)).toEqual([]);
      const missing = await run('bin/erase-person.ts', '--erased-in', 'gone');
      expect(missing).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The table gone, which records'),
      });
    },
  );

  thoroughTest(
    'one run erases a person who keeps sending messages, and the conversation’s events in their feed',
    async () => {
      const direct = await make('ann', 'conversations', { contact_id: 'wanda' });
      const message = { conversation_id: direct, message: 'I am still here' };
      const statuses: number[] = [];
      let isDone = false;
      const writing = (async () => {
        while (!isDone) {
          const { status } = await send('wanda', 'POST', 'messages', message);
          statuses.push(status);
          await sendRequest('wanda', 'GET', `messages?conversation_id=${direct}`);
        }
      })();
      await waitUntil(async () => statuses.length > 100);
      const erased = await run('bin/erase-person.ts', '--contact', 'wanda', '--yes');
      isDone = true;
      await writing;
      expect(erased).toMatchObject({ status: 0, stderr: '' });
      expect([statuses[0], statuses.at(-1)]).toEqual([201, 403]);
      expect(await listMessages('ann', direct)).toEqual([]);
      expect(await findItemTypes('wanda')).toEqual([
        'CHECK',
        'CHUNK#',
        'CONTACT',
        'CONVERSATION',
        'SETTINGS#wanda',
      ]);
      const { data: events } = v.parse(EventPage, await sendRequest('wanda', 'GET', 'events'));
      expect(events.filter(({ payload }) => payload?.id === direct)).toEqual([]);
    },
    300_000,
  );

  quickTest('an invalid contact id is rejected', async () => {
    for (const file of ['bin/export-person.ts', 'bin/erase-person.ts']) {
      const { status, stderr } = await run(file, '--contact', 'a b');
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining("'a b' must be 1 to 128 characters"),
      ]);
    }
  });
});
