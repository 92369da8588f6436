import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Client, type Cursor, createClient } from '../../client/src/index.ts';
import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { runBesideCloud } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';

const data = temporaryFolder();

let cloud: Cloud;
let ann: Client;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data });
  ann = clientOf('ann');
});
afterAll(() => cloud.stop());

const clientOf = (id: string) =>
  createClient({
    url: cloud.url,
    token: () => cloud.token(id, { groups: ['team'], username: `${id} by name` }),
  });

const run = (file: string, ...parameters: string[]) =>
  runBesideCloud(file, ...parameters, '--data', data);

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
      const robert = clientOf('robert');
      const send = async (client: Client, conversation_id: string, message: string) =>
        (await client.messages.send({ conversation_id, message })).id;
      const { id: direct } = await ann.conversations.create({ contact_id: 'robert' });
      const { id: team } = await ann.conversations.create({ group_id: 'team' });
      const hello = await send(ann, direct, 'Hello');
      const replyIds: string[] = [];
      for (let n = 1; n <= 12; n++) replyIds.push(await send(robert, direct, `Answer ${n}`));
      const all = await send(ann, team, 'To all');
      await robert.messages.update({ message_id: all, reactions: { thumbsup: ['robert'] } });
      await send(robert, team, 'From me');
      const last = await send(ann, direct, 'The last one');
      const { cursor } = await ann.live.retrieve();

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
      const list = async (at?: Cursor) =>
        (await ann.messages.list({ conversation_id: direct, limit: 100 }).page(at)).data;
      expect(await list()).toHaveLength(14);

      await makeInactive('robert');
      const erased = await run('bin/erase-person.ts', '--contact', 'robert', '--yes');
      expect(erased).toMatchObject({ status: 0, stderr: '' });
      expect(erased.stdout).toContain('       13  messages they sent');

      // Listing succeeds even if the cursor is a deleted message's id.
      expect(await list()).toMatchObject([{ id: last }, { id: hello }]);
      expect(await list({ starting_after: replyIds[5] ?? '' })).toMatchObject([{ id: hello }]);
      expect(await list({ ending_before: replyIds[5] ?? '' })).toMatchObject([{ id: last }]);
      const { data: toTeam } = await ann.messages.list({ conversation_id: team }).page();
      expect(toTeam).toMatchObject([{ id: all, reactions: [] }]);
      await waitUntil(async () => {
        const list = ann.conversations.list({ contact_id: 'robert', expand: ['contact'] });
        const [conversation] = (await list.page()).data;
        expect(conversation?.id).toBe(direct);
        return conversation?.contact?.username === null;
      });

      // Ann's feed contains an event for each deleted reply and for the removed reaction.
      const events = new Set<string>();
      await waitUntil(async () => {
        // An event's id begins with its resource's id.
        for await (const { type, id } of ann.events.list({ starting_after: cursor }))
          events.add(`${type} ${id.split('-', 1)}`);
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
      const { id: conversation_id } = await ann.conversations.create({ contact_id: 'rita' });
      await clientOf('rita').messages.send({ conversation_id, message: 'Hello' });
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
      expect((await ann.messages.list({ conversation_id }).page()).data).toEqual([]);
      const missing = await run('bin/erase-person.ts', '--erased-in', 'gone');
      expect(missing).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The table gone, which records'),
      });
    },
  );

  thoroughTest(
    'one run erases the messages of a person who keeps sending them, and the conversation’s events in the person’s feed',
    async () => {
      const wanda = clientOf('wanda');
      const { id: conversation_id } = await ann.conversations.create({ contact_id: 'wanda' });
      const outcomes: string[] = [];
      let isDone = false;
      const writing = (async () => {
        while (!isDone) {
          const sending = wanda.messages.send({ conversation_id, message: 'I am still here' });
          outcomes.push(
            await sending.then(
              () => 'sent',
              (error) => error.code,
            ),
          );
          await wanda.messages.list({ conversation_id });
        }
      })();
      await waitUntil(async () => outcomes.length > 100);
      const erased = await run('bin/erase-person.ts', '--contact', 'wanda', '--yes');
      isDone = true;
      await writing;
      expect(erased).toMatchObject({ status: 0, stderr: '' });
      expect([outcomes[0], outcomes.at(-1)]).toEqual(['sent', 'not_allowed']);
      expect((await ann.messages.list({ conversation_id }).page()).data).toEqual([]);
      expect(await findItemTypes('wanda')).toEqual([
        'CHECK',
        'CHUNK#',
        'CONTACT',
        'CONVERSATION',
        'SETTINGS#wanda',
      ]);
      const { data: events } = await wanda.events.list().page();
      expect(events.filter(({ payload }) => payload?.id === conversation_id)).toEqual([]);
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
