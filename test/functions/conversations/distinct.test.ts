import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { budgets } from '../../../commands/cost/budgets.ts';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { createConversation, retrieveConversation } from '../../../shared/contract/operations.ts';
import { newConversationId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import { findDirectConversationIds } from '../../../shared/table/conversations/query/find-by-contact.ts';
import { conversationKey, distinctKey } from '../../../shared/table/keys/keys.ts';
import {
  changeConversation,
  create,
  getConversation,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { putAll } from '../../support/seeds/seed-conversations.ts';
import { beforeFirstCall, interceptCalls, isTransaction } from '../../support/table/call-hooks.ts';
import { getSortKeys, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

let pairs = 0;
function newPair(): [Caller, Caller] {
  pairs += 1;
  const groups = [`team-${pairs}`];
  return [person(`a-${pairs}`, { groups }), person(`b-${pairs}`, { groups })];
}

async function requestDistinct(
  as: Caller,
  contact_id: string,
  { key, body = {} }: RequestOptions = {},
) {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const call = { as, headers, body: { contact_id, distinct: true, ...body } };
  const reply = await request(createConversation, call);
  const { id } = v.parse(v.object({ id: v.string() }), reply.body);
  return { ...reply, id };
}
interface RequestOptions {
  key?: string;
  body?: object;
}

const listDirectIds = (one: Caller, other: Caller) =>
  findDirectConversationIds(one.id, other.id, { limit: 100 });
const getRecordedId = async (one: Caller, other: Caller) => {
  const item = await getItem(distinctKey(one.id, other.id));
  return item?.conversation_id;
};

describe('The distinct conversation with a contact', () => {
  test('is created if there is none, and then returned to both participants', async () => {
    const [one, other] = newPair();
    const first = await requestDistinct(one, other.id);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      contact_id: other.id,
      group_id: null,
      last_active_at: null,
    });
    expect(first.body).toEqual(await getConversation(one, first.id));
    for (const [as, contact] of [
      [one, other],
      [other, one],
    ] as const) {
      const again = await requestDistinct(as, contact.id);
      expect({ status: again.status, body: again.body }).toEqual({
        status: 200,
        body: await getConversation(as, first.id),
      });
      const path = { conversation_id: first.id };
      const retrieved = await request(retrieveConversation, { as, path });
      expect(again.headers.ETag).toBe(retrieved.headers.ETag);
      expect(again.headers.Location).toBe(`https://api.example.com/v1/conversations/${first.id}`);
    }
    expect(await listDirectIds(one, other)).toEqual([first.id]);
  });

  test('is returned with expanded fields and the caller’s flags', async () => {
    const [one, other] = newPair();
    const { id } = await requestDistinct(one, other.id);
    await send(one, id, 'Hello');
    await changeConversation(other, id, { is_muted: true });
    const expand = ['last_message', 'unread_count', 'contact'];
    expect((await requestDistinct(other, one.id, { body: { expand } })).body).toMatchObject({
      ...(await getConversation(other, id)),
      is_muted: true,
      last_message: { message: 'Hello' },
      unread_count: 1,
      contact: { id: one.id },
    });
    expect((await requestDistinct(one, other.id)).body).toMatchObject({ is_muted: false });
  });

  test('is created once for the caller’s own contact id', async () => {
    const [one] = newPair();
    const { id, status } = await requestDistinct(one, one.id);
    expect([status, (await requestDistinct(one, one.id)).id]).toEqual([201, id]);
  });

  test('is no group conversation with the contact, and no conversation that the caller created with their own contact id', async () => {
    const [one, other] = newPair();
    const [group_id = ''] = one.groups;
    const inGroup = await create(one, { contact_id: other.id, group_id });
    const withOneself = await create(one, { contact_id: one.id });
    const { id, status } = await requestDistinct(one, other.id);
    expect(status).toBe(201);
    expect([inGroup.id, withOneself.id]).not.toContain(id);
    expect((await getConversation(other, inGroup.id)).group_id).toBe(group_id);
  });

  test('is the oldest direct conversation, even one created without `distinct`, and stays the same after later creations', async () => {
    const [one, other] = newPair();
    const oldest = await create(other, { contact_id: one.id });
    await create(one, { contact_id: other.id });
    const responses = [await requestDistinct(one, other.id), await requestDistinct(other, one.id)];
    expect(responses.map(({ status, id }) => [status, id])).toEqual([
      [200, oldest.id],
      [200, oldest.id],
    ]);
    await create(one, { contact_id: other.id });
    expect((await requestDistinct(one, other.id)).id).toBe(oldest.id);
    expect(await listDirectIds(one, other)).toHaveLength(3);
  });

  test('is replaced after its deletion by an existing conversation or, if there is none, by a new conversation', async () => {
    const [one, other] = newPair();
    const first = await requestDistinct(one, other.id);
    const plain = await create(one, { contact_id: other.id });
    await removeConversation(other, first.id);
    expect([
      (await requestDistinct(other, one.id)).id,
      (await requestDistinct(one, other.id)).id,
    ]).toEqual([plain.id, plain.id]);
    await removeConversation(one, plain.id);
    const second = await requestDistinct(other, one.id);
    expect(second.status).toBe(201);
    expect([first.id, plain.id]).not.toContain(second.id);
    expect(await requestDistinct(one, other.id)).toMatchObject({ status: 200, id: second.id });
  });

  test('is created after 25 checks if the index still contains 30 deleted conversations', async () => {
    const [one, other] = newPair();
    const deleted = Array.from({ length: 30 }, (_, n) => ({
      ...toStoredConversation(
        newConversation(newConversationId(clock.now() + n), one.id, { contact_id: other.id }),
      ),
      ...{ deleted_at: clock.now(), deletion: 'a deletion' },
    }));
    await putAll(deleted);
    const { calls } = budgets['conversations/create'].distinctCreated;
    expect((await requestDistinct(one, other.id)).status).toBe(201);
    // One additional call stores the caller's contact, and 25 calls check the deleted
    // conversations.
    expect(usage.table_calls).toBe(calls + 1 + 25);
  });

  test('is created once by 20 concurrent requests from both participants', async () => {
    const [one, other] = newPair();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? requestDistinct(one, other.id) : requestDistinct(other, one.id),
      ),
    );
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(await listDirectIds(one, other)).toEqual([responses[0]?.id]);
  });

  test('is the conversation that a concurrent request creates between the read and the write', async () => {
    const [one, other] = newPair();
    let otherId = '';
    beforeFirstCall(isTransaction, async () => {
      otherId = (await requestDistinct(other, one.id)).id;
    });
    expect(await requestDistinct(one, other.id)).toMatchObject({ status: 200, id: otherId });
    expect(await listDirectIds(one, other)).toEqual([otherId]);
  });

  test('is unavailable (503) after ten attempts if another request creates and deletes it during each attempt', async () => {
    const [one, other] = newPair();
    let attempt = 0;
    let isNested = false;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'TransactWriteItems' && !isNested) {
        attempt += 1;
        isNested = true;
        await removeConversation(other, (await requestDistinct(other, one.id)).id);
        isNested = false;
      }
      await proceed();
    });
    const call = { as: one, body: { contact_id: other.id, distinct: true } };
    expect(await refused(createConversation, call)).toMatchObject({ status: 503 });
    expect(attempt).toBe(10);
  });

  test('is created if the existing conversation is deleted between the read and the write of the distinct record', async () => {
    const [one, other] = newPair();
    const plain = await create(one, { contact_id: other.id });
    beforeFirstCall(isTransaction, async () => {
      await removeConversation(other, plain.id);
    });
    const { id, status } = await requestDistinct(one, other.id);
    expect(status).toBe(201);
    expect(id).not.toBe(plain.id);
  });
});

describe('Requesting the distinct conversation with an Idempotency-Key', () => {
  test.each(['made', 'found'])(
    'replays the first response and its status for a conversation that was %s',
    async (origin) => {
      const [one, other] = newPair();
      if (origin === 'found')
        await send(one, (await create(one, { contact_id: other.id })).id, 'Hello');
      const first = await requestDistinct(one, other.id, { key: 'k' });
      expect(first.status).toBe(origin === 'made' ? 201 : 200);
      await changeConversation(one, first.id, { is_muted: true });
      await send(other, first.id, 'Hello');
      const again = await requestDistinct(one, other.id, { key: 'k' });
      const replayed = {
        ...first,
        headers: {
          ...first.headers,
          'Request-Id': again.headers['Request-Id'],
          'Idempotent-Replayed': 'true',
        },
      };
      expect(again).toEqual(replayed);
      await removeConversation(one, first.id);
      expect(await requestDistinct(one, other.id, { key: 'k' })).toMatchObject({
        status: first.status,
        body: first.body,
      });
      expect((await requestDistinct(one, other.id)).status).toBe(201);
    },
  );

  test('replays last_message as null and unread_count as 0 if the conversation has since been deleted', async () => {
    const [one, other] = newPair();
    const { id } = await create(one, { contact_id: other.id });
    await send(other, id, 'Secret');
    const body = { expand: ['last_message', 'unread_count'] };
    const repeatRequest = () => requestDistinct(one, other.id, { key: 'k', body });
    expect((await repeatRequest()).body).toMatchObject({ last_message: { message: 'Secret' } });
    await removeConversation(other, id);
    expect((await repeatRequest()).body).toMatchObject({ last_message: null, unread_count: 0 });
  });

  test('creates one conversation for concurrent requests from both participants', async () => {
    const [one, other] = newPair();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2
          ? requestDistinct(one, other.id, { key: `k${n % 4}` })
          : requestDistinct(other, one.id, { key: `k${n % 4}` }),
      ),
    );
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    const created = responses.filter(({ status }) => status === 201);
    expect(created.filter(({ headers }) => !headers['Idempotent-Replayed'])).toHaveLength(1);
    expect(await listDirectIds(one, other)).toHaveLength(1);
  });

  test('returns 422 if the key is reused without `distinct`', async () => {
    const [one, other] = newPair();
    await requestDistinct(one, other.id, { key: 'k' });
    const call = { as: one, headers: { 'Idempotency-Key': 'k' }, body: { contact_id: other.id } };
    expect(await refused(createConversation, call)).toMatchObject({ status: 422 });
  });
});

describe('After the deletion of a distinct conversation,', () => {
  test.each(['made', 'found'])(
    'the purge removes all data of a conversation that was %s, including the distinct record',
    async (origin) => {
      createVirtualClock();
      const [one, other] = newPair();
      if (origin === 'found') await create(other, { contact_id: one.id });
      const { id } = await requestDistinct(one, other.id);
      expect(await getRecordedId(one, other)).toBe(id);
      await removeConversation(one, id);
      await runPurgeWorker([id]);
      expect(await getSortKeys(id)).toEqual([]);
      expect(await getItem(distinctKey(one.id, other.id))).toBeUndefined();
      expect((await requestDistinct(one, other.id)).status).toBe(201);
    },
  );

  test('the purge retains the record of the next distinct conversation', async () => {
    createVirtualClock();
    const [one, other] = newPair();
    const { id } = await requestDistinct(one, other.id);
    await removeConversation(one, id);
    const next = await requestDistinct(other, one.id);
    await runPurgeWorker([id]);
    expect(await getItem(conversationKey(id))).toBeUndefined();
    expect(await getRecordedId(one, other)).toBe(next.id);
    expect(await requestDistinct(one, other.id)).toMatchObject({ status: 200, id: next.id });
  });
});

test('`distinct: true` requires a contact and is rejected with a group, and `distinct: false` is accepted with a group', async () => {
  const [one, other] = newPair();
  const [group_id = ''] = one.groups;
  const rejection = (body: object) => refused(createConversation, { as: one, body });
  const refusal = { status: 400, type: 'invalid_request' };
  expect(await rejection({ contact_id: other.id, group_id, distinct: true })).toEqual({
    ...refusal,
    code: 'parameter_invalid',
    param: 'distinct',
    message: "'distinct' must not be combined with group_id.",
  });
  expect(await rejection({ group_id, distinct: true })).toMatchObject({ param: 'distinct' });
  expect(await rejection({ distinct: true })).toMatchObject({
    ...refusal,
    code: 'parameter_missing',
    param: 'contact_id',
  });
  const plain = { contact_id: other.id, group_id, distinct: false };
  expect((await create(one, plain)).group_id).toBe(group_id);
});
