import { describe, expect, jest, test } from '@jest/globals';
import { deleteMessage, retrieveMessage } from '../../../shared/contract/operations.ts';
import { random, toMessageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  getConversation,
  getMessage,
  list,
  react,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { notAllowedError, notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const notFound = notFoundError('message_id');

describe('Deleting a message', () => {
  test('removes only this message, for every participant, and its id remains a valid cursor', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const [first, second, third] = [
      await send(ann, id, 'first'),
      await send(ann, id, 'second', { attachments: [{ secret: 'x' }] }),
      await send(bob, id, 'third'),
    ];
    await react(bob, second.id, { ok: ['bob'] });

    expect(await removeMessage(ann, second.id)).toEqual({ id: second.id, deleted: true });

    for (const as of [ann, bob]) {
      expect(await refused(retrieveMessage, { as, path: { message_id: second.id } })).toEqual(
        notFound,
      );
      expect((await list(as, id)).data.map((one) => one.id)).toEqual([third.id, first.id]);
    }
    expect(await refused(deleteMessage, { as: ann, path: { message_id: second.id } })).toEqual(
      notFound,
    );
    const after = await list(bob, id, { starting_after: second.id });
    expect(after.data.map((one) => one.id)).toEqual([first.id]);
    const before = await list(bob, id, { ending_before: second.id });
    expect(before.data.map((one) => one.id)).toEqual([third.id]);
    expect((await send(ann, id, 'fourth')).id > third.id).toBe(true);
  });

  test('with a nonexistent id returns 404', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, 'mine');
    for (const sequence of [1, 2]) {
      const nonexistentId = toMessageId({ conversationId: id, sequence, sentAt: 5 });
      const path = { message_id: nonexistentId };
      expect(await refused(deleteMessage, { as: ann, path })).toEqual(notFound);
    }
    expect((await list(bob, id)).data).toHaveLength(1);
  });

  test('is allowed only for the sender', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    expect(await refused(deleteMessage, { as: bob, path: { message_id } })).toEqual(
      notAllowedError('Only the sender can delete a message.'),
    );
    expect(await refused(deleteMessage, { as: eve, path: { message_id } })).toEqual(notFound);
    expect(await getMessage(ann, message_id)).toMatchObject({ message: 'mine' });
  });

  test('with If-Match succeeds only if the ETag is current', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    const path = { message_id };
    const { ETag = '' } = (await request(retrieveMessage, { as: ann, path })).headers;
    await react(bob, message_id, { ok: ['bob'] });
    const call = { as: ann, path, headers: { 'If-Match': ETag } };
    expect(await refused(deleteMessage, call)).toMatchObject({ status: 412 });
    const { ETag: now = '' } = (await request(retrieveMessage, { as: ann, path })).headers;
    const { status } = await request(deleteMessage, { ...call, headers: { 'If-Match': now } });
    expect(status).toBe(200);
  });

  test('succeeds if the table’s reply is lost and the call is retried', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    interceptCalls(async ({ operation }, proceed) => {
      await proceed();
      if (operation === 'UpdateItem') await proceed();
    });
    expect(await removeMessage(ann, message_id)).toEqual({ id: message_id, deleted: true });
    expect(await refused(retrieveMessage, { as: ann, path: { message_id } })).toEqual(notFound);
  });

  test('with If-Match returns a retryable error and deletes nothing after ten attempts that conflict with reactions', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    let attempt = 0;
    interceptCalls(async ({ operation, input }, proceed) => {
      if (operation === 'UpdateItem' && JSON.stringify(input).includes('SET deletion')) {
        attempt += 1;
        await react(bob, message_id, { [`r${attempt}`]: ['bob'] });
      }
      await proceed();
    });
    const call = { as: ann, path: { message_id }, headers: { 'If-Match': '*' } };
    expect(await refused(deleteMessage, call)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(attempt).toBe(10);
    expect((await getMessage(ann, message_id)).reactions).toHaveLength(10);
  });

  test('that is pinned succeeds despite a concurrent reaction, and unpins the message', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    await changeConversation(bob, id, { pinned_message_id: message_id });
    let reactions = 0;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'TransactWriteItems') {
        reactions += 1;
        await react(bob, message_id, { [`r${reactions}`]: ['bob'] });
      }
      await proceed();
    });
    expect(await removeMessage(ann, message_id)).toEqual({ id: message_id, deleted: true });
    expect(reactions).toBe(1);
    expect((await getConversation(bob, id)).pinned_message_id).toBeNull();
  });

  test('that is unpinned during the request succeeds', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    await changeConversation(bob, id, { pinned_message_id: message_id });
    beforeFirstCall(isTransaction, async () => {
      await changeConversation(bob, id, { pinned_message_id: null });
    });
    expect(await removeMessage(ann, message_id)).toEqual({ id: message_id, deleted: true });
    expect(await refused(retrieveMessage, { as: ann, path: { message_id } })).toEqual(notFound);
  });

  test('costs a read of the conversation and a write unless it scans the message’s neighbors', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message_id } = await send(ann, id, 'mine');
    jest.spyOn(random, 'oneIn').mockReturnValue(false);
    await removeMessage(ann, message_id);
    expect(usage).toEqual({ table_calls: 2, read_units: 1, write_units: 1 });
  });
});
