import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  createConversation,
  listBusinesses,
  listConversations,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { create, react, send } from '../support/handlers/api-calls.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { toFormFields } from '../support/handlers/to-form-fields.ts';
import { ann, bob } from '../support/people/callers.ts';
import '../support/setup/use-table.ts';

let conversation_id: string;
let message_id: string;
beforeAll(async () => {
  conversation_id = (await create(ann, { contact_id: 'bob' })).id;
  message_id = (await send(ann, conversation_id, 'Hello')).id;
  await react(ann, message_id, { ok: ['ann'] });
});

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const pathOf = (row: Operation) =>
  Object.fromEntries(
    Object.entries({ conversation_id, message_id }).filter(([name]) =>
      row.path.includes(`{${name}}`),
    ),
  );

/** Returns the `param` of the request's error. Checks that a 400 error's message contains it. */
async function named(row: Operation, call: Partial<Call>) {
  const { status, param, message } = await refused(row, { as: bob, path: pathOf(row), ...call });
  expect(status).toBeGreaterThanOrEqual(400);
  if (param !== null && status === 400) expect(message).toContain(`'${param}'`);
  return param;
}

describe('The param of an error is', () => {
  test.each<[string, Operation, object]>([
    ['conversation_id', sendMessage, { message: 'a' }],
    ['message', sendMessage, { conversation_id: 'x', message: ' ' }],
    ['attachments', updateMessage, { attachments: Array(11).fill({ a: '1' }) }],
    ['attachments[1].url', updateMessage, { attachments: [{ a: '1' }, { url: 'x' }] }],
    ['attachments[0].size', updateMessage, { attachments: [{ size: -1 }] }],
    ['attachments[0]', updateMessage, { attachments: [{ a: 'x'.repeat(5000) }] }],
    ['reactions', updateMessage, { reactions: 'ok' }],
    ['reactions', updateMessage, { reactions: { ok: ['eve'] } }],
    ['reactions.ok', updateMessage, { reactions: { ok: 'bob' } }],
    ['reactions["👍"]', updateMessage, { reactions: { '👍': 'bob' } }],
    ['reactions["a.b"]', updateMessage, { reactions: { 'a.b': 'bob' } }],
    ['reactions["a\\"b"]', updateMessage, { reactions: { 'a"b': 'bob' } }],
    ['reactions["a\\u202eb"]', updateMessage, { reactions: { 'a\u202eb': ['bob'] } }],
    [
      `reactions["${'👍'.repeat(64)}…"]`,
      updateMessage,
      { reactions: { ['👍'.repeat(65)]: ['bob'] } },
    ],
    ['reactions[1].ok', updateMessage, { reactions: [{ fine: ['bob'] }, { ok: 'bob' }] }],
    ['reactions[0]["a b"]', updateMessage, { reactions: [{ 'a b': 'bob' }] }],
    ['contact_id', createConversation, {}],
    ['group_id', createConversation, { group_id: 'of-others' }],
    ['distinct', createConversation, { contact_id: 'ann', distinct: 'maybe' }],
    ['distinct', createConversation, { contact_id: 'ann', distinct: 2 }],
    ['distinct', createConversation, { group_id: 'of-others', distinct: true }],
    ['contact_id', createConversation, { contact_id: 'a b', distinct: true }],
    ['archived_at', updateConversation, { archived_at: 'soon' }],
    ['is_pinned', updateConversation, { is_pinned: 'maybe' }],
    ['pinned_message_id', updateConversation, { pinned_message_id: 'x' }],
    ['last_read_message_id', updateConversation, { last_read_message_id: '' }],
    ['mark_unread_from', updateConversation, { mark_unread_from: 'x' }],
  ])('%s, for a body in JSON or in a form', async (param, row, body) => {
    expect(await named(row, { body })).toBe(param);
    const fields = new URLSearchParams(toFormFields(body)).toString();
    expect(await named(row, { body: fields, headers: form })).toBe(param);
  });

  test.each<[string, object]>([
    ['reactions["a[b]"]', { reactions: { 'a[b]': ['bob'] } }],
    ['reactions.ok[1]', { reactions: { ok: ['bob', 5] } }],
    ['reactions[0].ok[0]', { reactions: [{ ok: [null] }] }],
    ['reactions[""]', { reactions: { '': ['bob'] } }],
    ['reactions["\\ud800"]', { reactions: { '\ud800': ['bob'] } }],
    ['attachments[0]', { attachments: ['a'] }],
  ])('%s, for a body in JSON', async (param, body) => {
    expect(await named(updateMessage, { body })).toBe(param);
  });

  test.each<[string, Operation, Record<string, string | string[]>]>([
    ['limit', listConversations, { limit: ['1', '2'] }],
    ['starting_after', listBusinesses, { starting_after: '' }],
    ['exclude', listConversations, { 'exclude[]': 'unread' }],
    ['exclude', listConversations, { exclude: ['archived', 'ARCHIVED'] }],
    ['exclude', listConversations, { 'exclude[0]': 'true' }],
    ['contact_id', listConversations, { contact_id: '' }],
    ['contact_id', listConversations, { contact_id: ['ann', 'bob'] }],
    ['contact_id', listConversations, { contact_id: 'x'.repeat(129), group_id: 'team' }],
    ['peek', listMessages, { peek: 'maybe' }],
    ['group_id', listConversations, { group_id: '\ufffd' }],
  ])('%s, for a query', async (param, row, query) => {
    expect(await named(row, { query })).toBe(param);
  });

  test('the name of a URL path parameter or header', async () => {
    expect(await named(retrieveMessage, { path: { message_id: 'x' } })).toBe('message_id');
    expect(await named(retrieveConversation, { path: { conversation_id: 'x' } })).toBe(
      'conversation_id',
    );
    const headers = { 'Idempotency-Key': '' };
    const body = { conversation_id, message: 'a' };
    expect(await named(sendMessage, { headers, body })).toBe('Idempotency-Key');
  });

  test.each<[string, Operation, Partial<Call>]>([
    ['a body that is not an object', sendMessage, { body: '[]' }],
    ['a body that is not JSON', sendMessage, { body: '{' }],
    [
      'a form with unbalanced brackets',
      updateMessage,
      { body: 'reactions[a]b][]=x', headers: form },
    ],
    ['a form that is not UTF-8', updateMessage, { body: 'message=%ff', headers: form }],
    ['a reserved name', sendMessage, { body: '{"constructor":1}' }],
    ['a plain text body', sendMessage, { body: 'a', headers: { 'Content-Type': 'text/plain' } }],
    ['a field that only the sender may change', updateMessage, { body: { message: 'mine' } }],
    [
      'an outdated ETag',
      updateMessage,
      { body: { reactions: { ok: [] } }, headers: { 'If-Match': '"x"' } },
    ],
  ])('null if the error concerns the whole request: %s', async (_, row, call) => {
    expect(await named(row, call)).toBeNull();
  });
});
