import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { call, getError, type Person, person, send } from './support/api.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

async function messageBy(person: Person, message: string) {
  const { id } = await call(person, createConversation, { body: { contact_id: bob.id } });
  const body = { conversation_id: id, message };
  return { conversation_id: id, message_id: (await call(person, sendMessage, { body })).id };
}

async function tagOf(person: Person, row: Operation, path: Record<string, string>) {
  const response = await send(person, row, { path });
  await response.body?.cancel();
  return response.headers.get('ETag') ?? '';
}

const refused = { code: 'precondition_failed', param: null };

describe('A request with If-Match', () => {
  test('updates or deletes a conversation only if its ETag has not changed', async () => {
    const { conversation_id, message_id } = await messageBy(ann, 'Shall we meet?');
    const path = { conversation_id };
    const seen = await tagOf(ann, retrieveConversation, path);
    const mute = { path, body: { is_muted: true }, headers: { 'If-Match': seen } };
    expect(await call(ann, updateConversation, mute)).toMatchObject({ is_muted: true });
    expect(await getError(updateConversation, await send(ann, updateConversation, mute))).toEqual(
      refused,
    );

    const body = { pinned_message_id: message_id };
    const headers = { 'If-Match': await tagOf(ann, retrieveConversation, path) };
    const pinned = await call(ann, updateConversation, { path, body, headers });
    expect(pinned).toMatchObject({ pinned_message_id: message_id });
    expect(
      await getError(deleteConversation, await send(ann, deleteConversation, { path, headers })),
    ).toEqual(refused);

    const last = { 'If-Match': await tagOf(ann, retrieveConversation, path) };
    expect(await call(ann, deleteConversation, { path, headers: last })).toEqual({
      id: conversation_id,
      deleted: true,
    });
    expect(
      await getError(retrieveConversation, await send(ann, retrieveConversation, { path })),
    ).toMatchObject({
      code: 'not_found',
    });
  });

  test('updates a message if the ETag is from a compressed reply', async () => {
    const { message_id } = await messageBy(ann, 'A long text. '.repeat(200));
    const path = { message_id };
    const response = await send(ann, retrieveMessage, {
      path,
      headers: { 'Accept-Encoding': 'gzip' },
    });
    await response.body?.cancel();
    expect(response.headers.get('Content-Encoding')).toBe('gzip');
    const headers = { 'If-Match': response.headers.get('ETag') ?? '' };
    const edit = { path, body: { message: 'A short one.' }, headers };
    expect(await call(ann, updateMessage, edit)).toMatchObject({ message: 'A short one.' });
  });

  test('is rejected if the recipient has read the message since the ETag was returned, and succeeds with the new ETag', async () => {
    const { message_id } = await messageBy(ann, 'At noon?');
    const path = { message_id };
    const seen = { 'If-Match': await tagOf(ann, retrieveMessage, path) };
    expect(await call(bob, retrieveMessage, { path })).toMatchObject({
      read_at: expect.any(Number),
    });
    const edit = { path, body: { message: 'At one?' }, headers: seen };
    expect(await getError(updateMessage, await send(ann, updateMessage, edit))).toEqual(refused);
    const deletion = { path, headers: seen };
    expect(await getError(deleteMessage, await send(ann, deleteMessage, deletion))).toEqual(
      refused,
    );
    const last = { 'If-Match': await tagOf(ann, retrieveMessage, path) };
    expect(await call(ann, deleteMessage, { path, headers: last })).toEqual({
      id: message_id,
      deleted: true,
    });
  });
});

test('The response to a reaction shows the message’s sender as the contact, not the user who reacted', async () => {
  const { message_id } = await messageBy(carol, 'I shall bring cake');
  const body = { reactions: { heart: [bob.id] } };
  expect(await call(bob, updateMessage, { path: { message_id }, body })).toMatchObject({
    contact: { id: carol.id },
    reactions: [{ heart: [bob.id] }],
  });
});

test('Deleting a pinned message unpins it', async () => {
  const { conversation_id, message_id } = await messageBy(ann, 'The address is below');
  const body = { pinned_message_id: message_id };
  await call(bob, updateConversation, { path: { conversation_id }, body });
  await call(ann, deleteMessage, { path: { message_id } });
  const found = await call(bob, retrieveConversation, { path: { conversation_id } });
  expect(found.pinned_message_id).toBeNull();
});

test('Creating a conversation again with the same Idempotency-Key returns the first reply', async () => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const createOnce = () => send(ann, createConversation, { body: { contact_id: bob.id }, headers });
  const [first, second] = [await createOnce(), await createOnce()];
  expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await second.json()).toEqual(await first.json());
});
