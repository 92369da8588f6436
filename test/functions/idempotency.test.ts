import { describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../shared/clock.ts';
import { createConversation, sendMessage } from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { messageKey } from '../../shared/table/keys/keys.ts';
import {
  create,
  edit,
  getConversation,
  list,
  removeConversation,
  removeMessage,
} from '../support/handlers/api-calls.ts';
import { invokeHandler, refused, request } from '../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../support/people/callers.ts';
import {
  beforeFirstCall,
  crashAtCall,
  interceptCalls,
  isTransaction,
} from '../support/table/call-hooks.ts';
import { createCancellation } from '../support/table/table-error.ts';
import { getSortKeys } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

let keys = 0;
const freshKey = () => `key-${++keys}`;

const sendOnce = (key: string, body: object, as = ann) =>
  request(sendMessage, { as, headers: { 'Idempotency-Key': key }, body });
const createOnce = (key: string, body: object, as = ann) =>
  request(createConversation, { as, headers: { 'Idempotency-Key': key }, body });

const getLogKeys = async (id: string) =>
  (await getSortKeys(id)).filter((sort) => String(sort).startsWith('MESSAGE#'));

const textsOf = async (id: string) => (await list(bob, id)).data.map(({ message }) => message);

describe('Sending with an Idempotency-Key', () => {
  test('sends one message for any number of retries, and returns the first response each time', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id: id, message: 'Hello', attachments: [{ b: 1, a: 2 }] };
    const key = freshKey();
    const first = await sendOnce(key, body);
    expect(first.headers['Idempotent-Replayed']).toBeUndefined();
    const { id: message_id } = v.parse(sendMessage.reply, first.body);
    await list(bob, id);
    await edit(ann, message_id, { message: 'changed' });

    const again = await sendOnce(`"${key}"`, body);
    expect(again).toEqual({
      ...first,
      headers: {
        ...first.headers,
        'Request-Id': again.headers['Request-Id'],
        'Idempotent-Replayed': 'true',
      },
    });
    await removeMessage(ann, message_id);
    expect((await sendOnce(key, body)).body).toEqual(first.body);
    expect(await textsOf(id)).toEqual([]);
  });

  test('replays the first response byte for byte, for any field order in the request', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const text = async (body: string) => {
      const headers = { 'Idempotency-Key': 'to the letter' };
      return (await invokeHandler(sendMessage, { as: ann, headers, body })).body;
    };
    const body = (attachments: string) =>
      `{"conversation_id":"${id}","message":"Look","attachments":[${attachments}]}`;
    const first = await text(
      body('{"z":{"b":1,"a":[{"d":1,"c":2}]},"size":1,"b":null,"url":"https://a.b","name":"n"},{}'),
    );
    expect(first).toContain(
      '"attachments":[{"name":"n","url":"https://a.b","size":1,"b":null,"z":{"a":[{"c":2,"d":1}],"b":1}},{}]',
    );
    const others = [
      '{"name":"n","size":1,"z":{"a":[{"c":2,"d":1}],"b":1},"b":null,"url":"https://a.b"},{}',
      '{ "b": null, "z": { "a": [ {"d":1,"c":2.0} ], "b": 1e0 }, "url": "https:\\/\\/a.b", "name": "\\u006e", "size": 1 }, {}',
    ];
    for (const other of others) expect(await text(body(other))).toBe(first);
    expect(await textsOf(id)).toEqual(['Look']);
  });

  test.each<[string, object, object]>([
    ['an additional attachment', {}, { attachments: [{}] }],
    ['a null field in an attachment', { attachments: [{}] }, { attachments: [{ name: null }] }],
    ['an empty list in an attachment', { attachments: [{}] }, { attachments: [{ a: [] }] }],
    [
      'another order of attachments',
      { attachments: [{ a: 1 }, {}] },
      { attachments: [{}, { a: 1 }] },
    ],
    ['a text that only looks identical', { message: 'é' }, { message: 'e\u0301' }],
  ])('returns 422 if the key is reused with %s', async (_, one, other) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const key = freshKey();
    const body = { conversation_id: id, message: 'Hello' };
    expect(await sendOnce(key, { ...body, ...one })).toMatchObject({ status: 201 });
    expect(await sendOnce(key, { ...body, ...other })).toMatchObject({ status: 422 });
  });

  test('replays the first response only for the same caller, operation and key', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id: id, message: 'Hello' };
    const key = freshKey();
    await sendOnce(key, body);
    await sendOnce(key, body, bob);
    await sendOnce(freshKey(), body);
    await createOnce(key, { contact_id: 'bob' });
    expect(await textsOf(id)).toEqual(['Hello', 'Hello', 'Hello']);
  });

  test('replays the first response if a concurrent duplicate sends the message and the conversation is then deleted', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const key = freshKey();
    const body = { conversation_id: id, message: 'Hello' };
    let duplicate: unknown;
    const stop = interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'UpdateItem' && !duplicate) {
        stop();
        duplicate = (await sendOnce(key, body)).body;
        await removeConversation(ann, id);
      }
      await proceed();
    });
    const { status, body: reply, headers } = await sendOnce(key, body);
    expect({ status, reply }).toEqual({ status: 201, reply: duplicate });
    expect(headers['Idempotent-Replayed']).toBe('true');
  });

  test('releases the reserved sequence number of a late concurrent duplicate, so that readers do not wait for it', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const key = freshKey();
    const body = { conversation_id: id, message: 'Hello' };
    beforeFirstCall(isTransaction, () => sendOnce(key, body));
    const { headers } = await sendOnce(key, body);
    expect(headers['Idempotent-Replayed']).toBe('true');
    expect(await getLogKeys(id)).toEqual([messageKey(id, 1).sk, messageKey(id, 2).sk]);
  });

  test('reserves another sequence number if a reader fills the first one, and sends the message once', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const key = freshKey();
    const body = { conversation_id: id, message: 'slow' };
    beforeFirstCall(isTransaction, async () => {
      await sendOnce(freshKey(), { conversation_id: id, message: 'quick' });
      expect(await textsOf(id)).toEqual(['quick']);
    });
    const first = await sendOnce(key, body);
    expect(first.status).toBe(201);
    expect((await sendOnce(key, body)).body).toEqual(first.body);
    expect(await textsOf(id)).toEqual(['slow', 'quick']);
  });

  test('is rejected if the key was used with another body, and sends nothing', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const key = freshKey();
    await sendOnce(key, { conversation_id: id, message: 'Hello' });
    const call = { as: ann, headers: { 'Idempotency-Key': key } };
    const body = { conversation_id: id, message: 'Bye' };
    expect(await refused(sendMessage, { ...call, body })).toEqual({
      status: 422,
      type: 'invalid_request',
      code: 'idempotency_key_reused',
      param: 'Idempotency-Key',
      message:
        'The Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.',
    });
    expect(await textsOf(id)).toEqual(['Hello']);
  });

  test.each([
    ['empty', ''],
    ['an empty quoted string', '""'],
    ['256 characters long', 'k'.repeat(256)],
  ])('is rejected if the key is %s', async (_, key) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const call = { as: ann, headers: { 'Idempotency-Key': key } };
    const body = { conversation_id: id, message: 'Hello' };
    expect(await refused(sendMessage, { ...call, body })).toMatchObject({
      status: 400,
      param: 'Idempotency-Key',
    });
  });

  test('sends again after a day, even if the idempotency record is still in the table', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id: id, message: 'Hello' };
    const key = freshKey();
    const start = clock.now();
    const day = 24 * 3600 * 1000;
    jest.spyOn(clock, 'now').mockReturnValue(start);
    await sendOnce(key, body);
    jest.spyOn(clock, 'now').mockReturnValue(start + day - 1000);
    await sendOnce(key, body);
    jest.spyOn(clock, 'now').mockReturnValue(start + day);
    const { headers } = await sendOnce(key, { ...body, message: 'A new day' });
    expect(headers['Idempotent-Replayed']).toBeUndefined();
    expect(await textsOf(id)).toEqual(['A new day', 'Hello']);
  });

  test.each([1, 2, 3].flatMap((k) => [[k, 'before'] as const, [k, 'after'] as const]))(
    'sends once if the client retries after a crash at table call %i, %s the call is made',
    async (k, when) => {
      const { id } = await create(ann, { contact_id: 'bob' });
      const body = { conversation_id: id, message: 'Hello' };
      await sendOnce(freshKey(), { ...body, message: 'warm' });
      const key = freshKey();
      crashAtCall(k, when);
      expect(await sendOnce(key, body)).toMatchObject({
        status: 503,
        headers: { 'Retry-After': '1' },
      });
      expect(await sendOnce(key, body)).toMatchObject({ status: 201 });
      expect(await textsOf(id)).toEqual(['Hello', 'warm']);
    },
  );

  test('sends one message for twenty concurrent duplicates, even if some of them crash', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id: id, message: 'Hello' };
    const key = freshKey();
    let calls = 0;
    const undo = interceptCalls(async (_, proceed) => {
      const crashes = ++calls % 7 === 0;
      if (!crashes || calls % 2) await proceed();
      if (crashes) throw new Error('The function crashes here.');
    });
    const replies = await Promise.all(Array.from({ length: 20 }, () => sendOnce(key, body)));
    undo();

    const good = replies.filter(({ status }) => status === 201);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set(good.map(({ body: one }) => JSON.stringify(one))).size).toBe(1);
    expect(replies.every(({ status }) => status === 201 || status === 503)).toBe(true);
    expect(await textsOf(id)).toEqual(['Hello']);
  });

  test('returns a retryable error while concurrent duplicates keep conflicting', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
    interceptCalls(async ({ operation }, proceed) => {
      if (operation !== 'TransactWriteItems') return proceed();
      throw createCancellation('None', 'TransactionConflict');
    });
    const call = { as: ann, headers: { 'Idempotency-Key': freshKey() } };
    const body = { conversation_id: id, message: 'Hello' };
    expect(await request(sendMessage, { ...call, body })).toMatchObject({
      status: 409,
      headers: { 'Retry-After': '1' },
      body: { code: 'request_in_progress' },
    });
    // The reserved sequence number was released.
    expect(await getLogKeys(id)).toEqual([messageKey(id, 1).sk]);
  });

  test('costs three table calls, and a retry costs one table call and one read unit', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id: id, message: 'Hello' };
    await sendOnce(freshKey(), body);
    const key = freshKey();
    await sendOnce(key, body);
    // AWS charges 9 write units, because each item in a transaction costs two. DynamoDB Local
    // charges one unit per item.
    expect(usage).toEqual({ table_calls: 3, read_units: 1, write_units: 7 });
    await sendOnce(key, body);
    expect(usage).toEqual({ table_calls: 1, read_units: 1, write_units: 0 });
  });
});

describe('Creating a conversation with an Idempotency-Key', () => {
  const member = person('ann', { groups: ['team'] });

  test.each([
    ['with a contact', { contact_id: 'bob' }],
    ['in a group', { group_id: 'team' }],
  ])('twice creates one conversation, and replays the first response: %s', async (_, body) => {
    const key = freshKey();
    const first = await createOnce(key, body, member);
    const again = await createOnce(key, body, member);
    expect(again).toEqual({
      ...first,
      headers: {
        ...first.headers,
        'Request-Id': again.headers['Request-Id'],
        'Idempotent-Replayed': 'true',
      },
    });
    const { id } = v.parse(createConversation.reply, first.body);
    expect(await getConversation(member, id)).toEqual(first.body);
  });

  test('replays the first response to requests that differ only in null fields, unknown fields or encoding', async () => {
    const key = freshKey();
    const headers = {
      'Idempotency-Key': key,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const replies = [
      await createOnce(key, { contact_id: 'bob' }),
      await createOnce(key, { contact_id: 'bob', group_id: null }),
      await createOnce(key, { group_id: null, contact_id: 'bob', id: 'x', is_pinned: true }),
      await request(createConversation, { as: ann, headers, body: 'contact_id=bob' }),
      await request(createConversation, { as: ann, headers, body: 'group_id=&contact_id=bob&a=1' }),
    ];
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await createOnce(key, { contact_id: 'eve' })).toMatchObject({ status: 422 });
  });

  test.each([1, 2].flatMap((k) => [[k, 'before'] as const, [k, 'after'] as const]))(
    'creates one conversation if the client retries after a crash at table call %i, %s the call is made',
    async (k, when) => {
      await create(ann, { contact_id: 'bob' });
      const key = freshKey();
      crashAtCall(k, when);
      expect(await createOnce(key, { contact_id: 'bob' })).toMatchObject({ status: 503 });
      const { body } = await createOnce(key, { contact_id: 'bob' });
      expect((await createOnce(key, { contact_id: 'bob' })).body).toEqual(body);
    },
  );

  test('replaces an idempotency record that expires during the request', async () => {
    const key = freshKey();
    // Neither request finds this caller's contact in the cache, so both also store the contact.
    const nora = person('nora');
    const [start, day] = [clock.now(), 24 * 3600 * 1000];
    const now = jest.spyOn(clock, 'now').mockReturnValue(start);
    const first = await createOnce(key, { contact_id: 'bob' }, nora);
    now.mockReturnValue(start + day);
    const undo = interceptCalls(async ({ operation }, proceed) => {
      // The clock is a second behind when the function builds the transaction, and correct when
      // DynamoDB rejects the transaction.
      if (operation === 'UpdateItem') now.mockReturnValue(start + day - 1000);
      if (operation === 'TransactWriteItems') now.mockReturnValue(start + day);
      await proceed();
    });
    const second = await createOnce(key, { contact_id: 'bob' }, nora);
    undo();
    const { id } = v.parse(createConversation.reply, second.body);
    expect(id).not.toBe(v.parse(createConversation.reply, first.body).id);
    expect(await getConversation(nora, id)).toEqual(second.body);
  });

  test('creates one conversation for twenty concurrent duplicates', async () => {
    const key = freshKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => createOnce(key, { contact_id: 'bob' })),
    );
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(replies.filter(({ headers }) => !headers['Idempotent-Replayed'])).toHaveLength(1);
  });
});
