import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { region } from '../../local-cloud/account.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import type { TableFault } from '../../local-cloud/table/table-proxy.ts';
import { parseMessageId } from '../../shared/ids.ts';
import { messageKey } from '../../shared/table/keys/keys.ts';
import { extractSecrets, findSecrets, type Secret } from '../support/processes/find-secrets.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const lines: string[] = [];
const secrets: Secret[] = [];
let cloud: Cloud;
let fault: TableFault | undefined;

beforeAll(async () => {
  cloud = await startTestCloud({
    log: (line) => lines.push(line),
    onTableCall: () => fault,
  });
});
afterAll(() => cloud.stop());

interface RequestOptions {
  method?: string;
  token: string;
  type?: string;
  body?: string | object;
  key?: string;
}

async function sendRequest(
  path: string,
  { method = 'POST', token, type, body, key }: RequestOptions,
) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const sent = { headers, ...(text !== undefined && { body: text }) };
  secrets.push(...extractSecrets(sent));
  // On a busy machine, table calls may exceed their time limit. Clients then retry.
  let response: Response;
  do response = await fetch(`${cloud.url}${path}`, { method, ...sent });
  while (!fault && response.status >= 503);
  const { id = '' } = v.parse(v.object({ id: v.optional(v.string()) }), await response.json());
  return { status: response.status, id };
}

const get = (path: string, token: string) => sendRequest(path, { method: 'GET', token });

const ann = () =>
  cloud.token('ann-of-the-secrets', {
    username: 'Ann the Unnamed',
    phone_number: '+49 30 5550123',
    picture: 'https://pictures.example.com/ann-unseen.png',
  });

/** Returns confidential text with characters that need escaping. */
const confidential = (about: string) =>
  `My dear Bob, "${about}" –\nstays between us & you + me, 100 %`;

/** Makes a message unparseable by storing the text as its version number. */
async function corruptMessage(id: string, text: string): Promise<void> {
  const position = parseMessageId(id);
  if (!position) throw new Error(`${id} is not a message id.`);
  const { pk, sk } = messageKey(position.conversationId, position.sequence);
  const client = new DynamoDBClient({
    endpoint: cloud.tableEndpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await client.send(
    new UpdateItemCommand({
      TableName: cloud.tableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET version = :text',
      ExpressionAttributeValues: { ':text': { S: text } },
    }),
  );
  client.destroy();
}

describe('Confidential text and credentials', () => {
  let token: string;
  let conversation_id: string;
  let message_id: string;

  const message = (about: string, more: object = {}) => ({
    conversation_id,
    message: confidential(about),
    attachments: [
      { name: `${about}-plan.pdf`, url: `https://files.example.com/${encodeURI(about)}-unseen` },
    ],
    ...more,
  });

  beforeAll(async () => {
    token = await ann();
    const created = await sendRequest('/v1/conversations', {
      token,
      body: { contact_id: 'bob-of-the-secrets' },
    });
    conversation_id = created.id;
    const sent = await sendRequest('/v1/messages', { token, body: message('the first') });
    message_id = sent.id;
  });

  async function sendSuccessfulRequests() {
    const key = 'a key that is used twice';
    const statuses = [
      sendRequest('/v1/messages', { token, body: message('the plan'), key }),
      get(`/v1/messages?conversation_id=${conversation_id}`, token),
      get(`/v1/messages/${message_id}`, await cloud.token('bob-of-the-secrets')),
      sendRequest('/v1/messages', {
        token,
        type: 'application/x-www-form-urlencoded',
        body: `${new URLSearchParams({ conversation_id, message: confidential('a form') })}`,
      }),
      sendRequest(`/v1/messages/${message_id}`, {
        method: 'PUT',
        token,
        body: {
          message: confidential('a change'),
          reactions: { 'a secret sign': ['ann-of-the-secrets'] },
        },
      }),
    ].map(async (reply) => (await reply).status);
    expect(await Promise.all(statuses)).toEqual([201, 200, 200, 201, 200]);
    expect(
      (await sendRequest('/v1/messages', { token, body: message('the plan'), key })).status,
    ).toBe(201);
  }

  async function sendRefusedRequests() {
    const bad = (await ann()).replace(/.{12}$/, 'abcdefghijkl');
    const statuses = [
      sendRequest('/v1/messages', { token: bad, body: message('a bad token') }),
      sendRequest('/v1/messages', {
        token: 'no-token-but-a-password',
        body: message('a password'),
      }),
      sendRequest('/v1/messages', { token, body: `{"message": ${confidential('no JSON')}` }),
      sendRequest('/v1/messages', { token, type: 'text/plain', body: confidential('plain') }),
      sendRequest('/v1/messages', {
        token,
        body: message('no list', { attachments: confidential('x') }),
      }),
      sendRequest('/v1/messages', { token, body: message('a key', {}), key: 'long'.repeat(100) }),
      sendRequest('/v1/messages', { token, body: message('much'.repeat(3000)) }),
      sendRequest(`/v1/messages/${conversation_id}`, {
        method: 'PUT',
        token,
        body: message('no id'),
      }),
    ].map(async (reply) => (await reply).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 400, 415, 400, 400, 400, 404]);
    const reused = { token, body: message('another'), key: 'a key that is used twice' };
    expect((await sendRequest('/v1/messages', reused)).status).toBe(422);
  }

  async function sendToFailingTable(kind: TableFault) {
    fault = kind;
    const options = { token, body: message(`the trouble ${kind}`), key: `a key for ${kind}` };
    expect((await sendRequest('/v1/messages', options)).status).toBe(503);
    fault = undefined;
  }

  async function readUnparseableItem() {
    const text = confidential('the stored');
    secrets.push({ kind: 'stored', text });
    const sent = await sendRequest('/v1/messages', {
      token,
      body: message('before it was spoilt'),
    });
    await corruptMessage(sent.id, text);
    expect((await get(`/v1/messages/${sent.id}`, token)).status).toBe(500);
  }

  test('do not appear in the log', async () => {
    await sendSuccessfulRequests();
    await sendRefusedRequests();
    await sendToFailingTable('throttle');
    await sendToFailingTable('lose reply');
    await readUnparseableItem();
    for (const worker of ['live', 'purge', 'webhooks']) {
      await waitUntil(() => lines.some((line) => line.includes(`"operation":"${worker}"`)));
    }
    expect(findSecrets(lines, secrets)).toEqual([]);
    expect(findSecrets(lines, [{ kind: 'contact', text: 'ann-of-the-secrets' }])).toEqual([]);
    expect(secrets.length).toBeGreaterThan(50);
    // Other lines are messages from the local cloud.
    const facts = lines.flatMap((line): unknown[] => {
      const [, output] = /^\[\w+\] (.*)$/s.exec(line) ?? [];
      return output === undefined ? [] : [JSON.parse(output)];
    });
    const operations = facts.map(
      (one) => v.parse(v.object({ operation: v.string() }), one).operation,
    );
    // On a busy machine, failed pushes also print lines.
    expect(new Set(operations.filter((one) => one !== 'push'))).toEqual(
      new Set([
        'authorizer',
        'conversations/create',
        'live',
        'messages/list',
        'messages/retrieve',
        'messages/send',
        'messages/update',
        // A schedule invokes this worker when the cloud starts.
        'purge',
        'webhooks',
      ]),
    );
  });
});
