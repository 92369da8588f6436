import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import {
  createConversation,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { env } from '../../../shared/env.ts';
import { resetUsage, usage } from '../../../shared/log/usage.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { toErasedSettings, toErasureUpdate } from '../../../shared/table/erased-contact.ts';
import { contactKey, type Key, settingsKey } from '../../../shared/table/keys/keys.ts';
import { create, getContact, list, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { notAllowedError } from '../../support/handlers/expected-errors.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { createTrio, unknownContact } from '../../support/people/callers.ts';
import { beforeFirstCall, isUpdate } from '../../support/table/call-hooks.ts';
import { documentClient } from '../../support/table/document-client.ts';
import '../../support/setup/use-table.ts';

let now: number;
beforeEach(() => {
  now = clock.now();
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});
const erase = (id: string) =>
  documentClient.send(
    new UpdateCommand({ TableName: env('TABLE_NAME'), ...toErasureUpdate(id, now) }),
  );
const stored = (id: string) => getItem(contactKey(id));

test('Only the id of an erased contact is returned, even after the contact attempts to send with a new profile', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  await send(cleo, id, 'Hello');
  await erase(cleo.id);
  const left = await stored(cleo.id);
  now += 61_000;
  await refused(sendMessage, {
    as: { ...cleo, username: 'Cleo, again' },
    body: { conversation_id: id, message: 'Hello' },
  });
  const unknown = unknownContact(cleo.id);
  expect((await list(xavier, id)).data.map(({ contact }) => contact)).toEqual([unknown]);
  expect(await getContact(xavier, cleo.id)).toEqual(unknown);
  expect(await stored(cleo.id)).toEqual(left);
});

describe('A minute after its erasure, a contact', () => {
  async function erased() {
    const { cleo, xavier } = createTrio();
    const { id } = await create(xavier, { contact_id: cleo.id });
    const { id: messageId } = await send(cleo, id, 'Hello');
    await erase(cleo.id);
    now += 60_000;
    return { cleo, xavier, id, messageId };
  }
  const refusal = notAllowedError('The caller was erased and can no longer write.');

  test('cannot send, with or without an Idempotency-Key, and its attempts leave no gap', async () => {
    const { cleo, xavier, id } = await erased();
    const body = { conversation_id: id, message: 'Again' };
    for (const headers of [{}, { 'Idempotency-Key': 'one' }, {}]) {
      expect(await refused(sendMessage, { as: cleo, body, headers })).toEqual(refusal);
    }
    await send(xavier, id, 'Who are you?');
    expect((await list(xavier, id)).data.map(({ message }) => message)).toEqual([
      'Who are you?',
      'Hello',
    ]);
  });

  test('causes no table calls if it sends again within a minute after a refused send', async () => {
    const { cleo, id } = await erased();
    const sending = async () => {
      resetUsage();
      await refused(sendMessage, { as: cleo, body: { conversation_id: id, message: 'Again' } });
      return usage.table_calls;
    };
    // The first send reserves a sequence number, looks up the contact, and releases the number.
    expect([await sending(), await sending()]).toEqual([3, 0]);
    now += 60_000;
    expect(await sending()).toBe(3);
  });

  test.each([{}, { distinct: true }])('cannot create a conversation with %j', async (more) => {
    const { cleo, xavier } = await erased();
    const body = { contact_id: xavier.id, ...more };
    expect(await refused(createConversation, { as: cleo, body })).toEqual(refusal);
  });

  test.each([{ message: 'Changed' }, { reactions: { heart: ['cleo'] } }])(
    'cannot change a message with %j',
    async (body) => {
      const { cleo, messageId } = await erased();
      const call = { as: cleo, path: { message_id: messageId }, body };
      expect(await refused(updateMessage, call)).toEqual(refusal);
    },
  );

  const settingsOf = (conversationId: string, { id }: Caller) => settingsKey(conversationId, id);
  const storeErasedSettings = (key: Key) => {
    const Item = toErasedSettings(key, now);
    return documentClient.send(new PutCommand({ TableName: env('TABLE_NAME'), Item }));
  };

  test('cannot change flags while an erasure replaces its settings', async () => {
    const { cleo, id } = await erased();
    const key = settingsOf(id, cleo);
    const undo = beforeFirstCall(isUpdate('SETTINGS#'), () => storeErasedSettings(key));
    const call = { as: cleo, path: { conversation_id: id }, body: { is_muted: true } };
    expect(await refused(updateConversation, call).finally(undo)).toEqual(refusal);
    expect(Object.keys((await getItem(key)) ?? {}).sort()).toEqual([
      'erased_at',
      'expires_at',
      'pk',
      'sk',
    ]);
  });

  test('does not mark a conversation as opened if an erasure has replaced the contact’s settings', async () => {
    const { cleo, xavier, id } = await erased();
    const key = settingsOf(id, cleo);
    await storeErasedSettings(key);
    const replaced = await getItem(key);
    await send(xavier, id, 'New');
    expect((await list(cleo, id)).data).toHaveLength(2);
    expect(await getItem(key)).toEqual(replaced);
  });

  test('can delete its messages', async () => {
    const { cleo, xavier, id, messageId } = await erased();
    await removeMessage(cleo, messageId);
    expect((await list(xavier, id)).data).toEqual([]);
  });
});

test('Code that does not support erasure can read the record of an erased contact as a contact without a profile', async () => {
  const { cleo } = createTrio();
  await erase(cleo.id);
  const { erased_at, ...left } = (await stored(cleo.id)) ?? {};
  expect(erased_at).toBe(now);
  expect(left).toEqual({
    ...contactKey(cleo.id),
    id: cleo.id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: 0,
    created_at: 0,
  });
});

test('A repeated erasure retains the time of the first erasure', async () => {
  const { cleo } = createTrio();
  const first = now;
  await erase(cleo.id);
  now += 1000;
  await erase(cleo.id);
  expect(await stored(cleo.id)).toMatchObject({ erased_at: first });
});
