import { describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { deleteConversation, retrieveConversation } from '../../../shared/contract/operations.ts';
import { getItem, queryPage } from '../../../shared/table/calls/access.ts';
import {
  contactInboxPartition,
  conversationKey,
  pairPartition,
  purgePartition,
} from '../../../shared/table/keys/keys.ts';
import { indexes } from '../../../shared/table/keys/names.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { expectNotFound } from '../../support/handlers/expect-not-found.ts';
import { notAllowedError, notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const deletionOf = (as: Caller, conversation_id: string, headers: Record<string, string> = {}) => ({
  as,
  path: { conversation_id },
  headers,
});

describe('Deletion of a conversation', () => {
  test.each([
    ['its creator', ann],
    ['the other contact', bob],
  ])('by %s makes it and its messages inaccessible to every participant', async (_, by) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, 'Hello');
    await changeConversation(ann, id, { is_muted: true, pinned_message_id: message });

    const { status, body } = await request(deleteConversation, deletionOf(by, id));

    expect({ status, body }).toEqual({ status: 200, body: { id, deleted: true } });
    for (const as of [ann, bob, eve]) await expectNotFound(as, id, message);
  });

  test('retains only the conversation’s key, deletion time, deletion id and purge index entry', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, 'Hello');
    await changeConversation(ann, id, { pinned_message_id: message });
    await removeConversation(ann, id);
    const key = conversationKey(id);
    expect(await getItem(key)).toEqual({
      ...key,
      deleted_at: expect.any(Number),
      deletion: expect.any(String),
      gsi1pk: purgePartition(id),
      activity: expect.stringMatching(new RegExp(`^\\d{15}#${id}$`)),
    });
  });

  test('removes the conversation from the indexes of inboxes and pairs, so that lists do not read it', async () => {
    const [one, other] = [person('olga'), person('paul')];
    const { id } = await create(one, { contact_id: 'paul' });
    await removeConversation(one, id);
    for (const [index, key] of [
      ['gsi1', contactInboxPartition(one.id)],
      ['gsi2', contactInboxPartition(other.id)],
      ['gsi3', pairPartition(one.id, other.id)],
    ] as const) {
      const { items } = await queryPage({
        IndexName: index,
        KeyConditionExpression: `${indexes[index].partition} = :key`,
        ExpressionAttributeValues: { ':key': key },
      });
      expect(items).toEqual([]);
    }
  });

  test('in a group is allowed only for the conversation’s creator, and only while the creator is a member', async () => {
    const inTeam = (id: string) => person(id, { groups: ['team'] });
    const { id } = await create(inTeam('ann'), { group_id: 'team', contact_id: 'bob' });
    const { id: message } = await send(bob, id, 'Hello');
    for (const as of [inTeam('carl'), bob]) {
      expect(await refused(deleteConversation, deletionOf(as, id))).toEqual(
        notAllowedError('Only the creator can delete a group conversation.'),
      );
      const ifMatch = { 'If-Match': '"other"' };
      expect(await refused(deleteConversation, deletionOf(as, id, ifMatch))).toMatchObject({
        status: 403,
      });
    }
    for (const as of [ann, eve, person('carl', { groups: ['other'] })]) {
      expect(await refused(deleteConversation, deletionOf(as, id))).toEqual(
        notFoundError('conversation_id'),
      );
    }
    expect((await getConversation(bob, id)).id).toBe(id);
    await removeConversation(inTeam('ann'), id);
    for (const as of [inTeam('ann'), inTeam('carl'), bob]) await expectNotFound(as, id, message);
  });

  test('succeeds for a creator with 100 groups, and returns 403 to another member with 100 groups', async () => {
    const groups = Array.from({ length: 100 }, (_, n) => `group-${n}`);
    const creator = person('ann', { groups });
    const { id } = await create(creator, { group_id: 'group-99' });
    expect(await removeConversation(creator, id)).toEqual({ id, deleted: true });
    const { id: other } = await create(creator, { group_id: 'group-99' });
    const call = deletionOf({ ...creator, id: 'carl' }, other);
    expect(await refused(deleteConversation, call)).toMatchObject({ status: 403 });
  });

  test('succeeds if DynamoDB’s reply is lost and the call is repeated', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    interceptCalls(async (_, proceed) => {
      await proceed();
      await proceed();
    });
    expect(await removeConversation(ann, id)).toEqual({ id, deleted: true });
    expect(await refused(deleteConversation, deletionOf(ann, id))).toEqual(
      notFoundError('conversation_id'),
    );
  });

  test('succeeds for one of four concurrent requests and returns 404 to the others', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const replies = await Promise.all(
      [ann, bob, ann, bob].map((as) => request(deleteConversation, deletionOf(as, id))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  test('makes a concurrently sent message inaccessible', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const undo = interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'PutItem') {
        undo();
        await removeConversation(ann, id);
      }
      await proceed();
    });
    const { id: message } = await send(bob, id, 'too late');
    for (const as of [ann, bob]) await expectNotFound(as, id, message);
  });
});

describe('Deleting a conversation with If-Match', () => {
  const tagOf = async (as: Caller, id: string) =>
    (await request(retrieveConversation, deletionOf(as, id))).headers.ETag ?? '';

  test.each([
    ['its creator', ann],
    ['the other contact', bob],
  ])('by %s deletes only the version that the client has read', async (_, by) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const old = await tagOf(by, id);
    await send(bob, id, 'news');
    const call = deletionOf(by, id, { 'If-Match': old });
    expect(await refused(deleteConversation, call)).toMatchObject({ status: 412 });
    const again = deletionOf(by, id, { 'If-Match': `"other", ${await tagOf(by, id)}` });
    expect((await request(deleteConversation, again)).status).toBe(200);
    await expectNotFound(ann, id, id);
  });

  test('returns 412 if the conversation changes between the read and the write', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const call = deletionOf(ann, id, { 'If-Match': await tagOf(ann, id) });
    for (const change of [
      () => changeConversation(ann, id, { is_pinned: true }),
      () => list(ann, id),
      () => send(bob, id, 'news'),
    ]) {
      const headers = { 'If-Match': await tagOf(ann, id) };
      beforeFirstCall(isTransaction, async () => {
        await change();
      });
      expect(await refused(deleteConversation, { ...call, headers })).toMatchObject({
        status: 412,
      });
    }
    expect((await getConversation(bob, id)).id).toBe(id);
  });

  test('returns 412 if a message with the same timestamp as the previous message arrives', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    jest.spyOn(clock, 'now').mockReturnValue(clock.now());
    await send(ann, id, 'Hello');
    const headers = { 'If-Match': await tagOf(ann, id) };
    beforeFirstCall(isTransaction, async () => {
      await send(bob, id, 'news');
    });
    expect(await refused(deleteConversation, deletionOf(ann, id, headers))).toMatchObject({
      status: 412,
    });
    expect((await getConversation(bob, id)).id).toBe(id);
  });

  test('returns 503 and deletes nothing after ten attempts that conflict with other writes', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    let attempt = 0;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'TransactWriteItems') {
        attempt += 1;
        await send(bob, id, 'news');
      }
      await proceed();
    });
    const call = deletionOf(ann, id, { 'If-Match': '*' });
    expect(await refused(deleteConversation, call)).toMatchObject({ status: 503 });
    expect(attempt).toBe(10);
    expect(await getConversation(ann, id)).toMatchObject({ id });
  });
});
