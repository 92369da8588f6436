import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createBlock,
  createConversation,
  deleteBlock,
  deleteConversation,
  deleteMessage,
  listBlocks,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { call, getError, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const carol = person('CAROL');

describe('A user who blocks a contact', () => {
  test('must unblock the contact before sending, editing, pinning or deleting messages or creating or deleting conversations', async () => {
    // Uses a new contact, because other scenarios use the conversations of Ann, Bob and Carol
    // concurrently.
    const contact_id = `blocked-${randomUUID()}`;
    const { id } = await call(carol, createConversation, { body: { contact_id } });
    const body = { conversation_id: id, message: 'Hello' };
    const { id: message_id } = await call(carol, sendMessage, { body });
    const path = { contact_id };
    const block = await call(carol, createBlock, { path });
    expect(block).toEqual({ contact_id, created_at: expect.any(Number) });
    expect(await call(carol, createBlock, { path })).toEqual(block);
    const refusals = [
      [sendMessage, { body }],
      [updateMessage, { path: { message_id }, body: { message: 'Edited' } }],
      [deleteMessage, { path: { message_id } }],
      [
        updateConversation,
        { path: { conversation_id: id }, body: { pinned_message_id: message_id } },
      ],
      [deleteConversation, { path: { conversation_id: id } }],
      [createConversation, { body: { contact_id } }],
      [createConversation, { body: { contact_id, distinct: true } }],
    ] as const;
    await eventually(async () => {
      for (const [operation, request] of refusals) {
        const reply = await send(carol, operation, request);
        expect(await getError(operation, reply)).toEqual({ code: 'blocking', param: null });
      }
    });
    expect((await call(carol, listBlocks)).data[0]).toEqual(block);
    const next = { query: { starting_after: contact_id } };
    expect((await call(carol, listBlocks, next)).data).not.toContainEqual(block);

    expect(await call(carol, deleteBlock, { path })).toEqual({ id: contact_id, deleted: true });
    expect((await call(carol, listBlocks)).data).not.toContainEqual(block);
    expect(await call(carol, sendMessage, { body })).toMatchObject({ message: 'Hello' });
    const repeated = await send(carol, deleteBlock, { path });
    expect(await getError(deleteBlock, repeated)).toEqual({
      code: 'not_found',
      param: 'contact_id',
    });
  });
});
