import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { sendMessage, updateMessage } from '../../shared/contract/operations.ts';
import { newConversationId, toMessageId } from '../../shared/ids.ts';
import { usage } from '../../shared/log/usage.ts';
import {
  create,
  getContact,
  removeConversation,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { ann, person } from '../support/people/callers.ts';
import { interceptHttp, recordHttpCalls } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

interface Guess {
  conversation_id: string;
  message_id: string;
}

const newGuess = (): Guess => {
  const now = clock.now();
  const conversation_id = newConversationId(now);
  return {
    conversation_id,
    message_id: toMessageId({ conversationId: conversation_id, sequence: 1, sentAt: now }),
  };
};

const writes: Record<string, (guess: Guess, as: Caller) => ReturnType<typeof refused>> = {
  'a send': ({ conversation_id }, as) =>
    refused(sendMessage, { as, body: { conversation_id, message: 'Hello?' } }),
  'a send with an Idempotency-Key': ({ conversation_id }, as) =>
    refused(sendMessage, {
      as,
      headers: { 'Idempotency-Key': 'once' },
      body: { conversation_id, message: 'Hello?' },
    }),
  'an edit': ({ message_id }, as) =>
    refused(updateMessage, { as, path: { message_id }, body: { message: 'Ha' } }),
  'an update with If-Match': ({ message_id }, as) =>
    refused(updateMessage, {
      as,
      path: { message_id },
      headers: { 'If-Match': '"some"' },
      body: { message: 'Ha' },
    }),
  'a reaction': ({ message_id }, as) =>
    refused(updateMessage, { as, path: { message_id }, body: { reactions: { ok: ['eve'] } } }),
  'another contact’s reaction': ({ message_id }, as) =>
    refused(updateMessage, { as, path: { message_id }, body: { reactions: { ok: ['ann'] } } }),
};

let strangers = 0;

/**
 * Sends a new stranger's write three times. Returns the rejections with their table calls, and
 * `created_at` of the stranger's contact, which is null if the contact is not stored.
 */
async function repeatWrite(write: (as: Caller) => ReturnType<typeof refused>) {
  strangers += 1;
  const eve = person(`eve-${strangers}`);
  const responses: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    let error: unknown;
    const calls = await recordHttpCalls(async () => {
      error = await write(eve);
    });
    const { table_calls, write_units } = usage;
    responses.push({
      error,
      table_calls,
      write_units,
      operations: calls.map(({ operation }) => operation),
    });
  }
  return { responses, created_at: (await getContact(eve, eve.id)).created_at };
}

describe('A write by a non-participant', () => {
  const histories: Record<string, Guess> = {};
  beforeAll(async () => {
    for (const history of ['of others', 'with deleted messages', 'deleted']) {
      const conversation_id = (await create(ann, { contact_id: 'bob' })).id;
      const { id: message_id } = await send(ann, conversation_id, 'Hello');
      histories[history] = { conversation_id, message_id };
    }
    await removeMessage(ann, histories['with deleted messages']?.message_id ?? '');
    await removeConversation(ann, histories.deleted?.conversation_id ?? '');
  });

  test.each(Object.entries(writes))(
    'returns the same error with the same table calls for existing, deleted and unknown messages, and does not store the contact: %s',
    async (_, write) => {
      const guessed = await repeatWrite((as) => write(newGuess(), as));
      expect(guessed).toMatchObject({
        responses: Array(3).fill({ error: { status: 404 }, write_units: 0 }),
        created_at: null,
      });
      for (const guess of Object.values(histories)) {
        expect(await repeatWrite((as) => write(guess, as))).toEqual(guessed);
      }
    },
  );
});

test('The first rejected write of a participant stores the contact, even if storing is slow', async () => {
  const dora = person('dora');
  const { id } = await create(ann, { contact_id: dora.id });
  const { id: message_id } = await send(ann, id, 'Hello');
  const edit = { as: dora, path: { message_id }, body: { message: 'Hacked' } };
  const hook = interceptHttp(async ({ body }, proceed) => {
    if (body.includes('CONTACT#dora')) await sleep(200);
    return proceed();
  });
  const tableCalls: number[] = [];
  for (let n = 0; n < 3; n++) {
    expect(await refused(updateMessage, edit)).toMatchObject({ status: 403 });
    tableCalls.push(usage.table_calls);
  }
  await hook.remove();
  expect(tableCalls).toEqual([3, 2, 2]);
});
