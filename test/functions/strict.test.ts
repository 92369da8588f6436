import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  listBusinesses,
  listConversations,
  retrieveMessage,
  sendMessage,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { strictVariables } from '../../shared/strict-mode.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { invokeHandler, ok } from '../support/handlers/invoke-handler.ts';
import { ann } from '../support/people/callers.ts';
import '../support/setup/use-table.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

beforeEach(() => {
  Object.assign(process.env, strictVariables);
});
afterEach(() => {
  for (const name of Object.keys(strictVariables)) delete process.env[name];
});

describe('In strict mode,', () => {
  test.each<[string, Operation, Partial<Call>, string]>([
    ['a query parameter', listConversations, { query: { q: 'hello' } }, 'q'],
    [
      'a query parameter of another operation',
      listBusinesses,
      { query: { muted: 'true' } },
      'muted',
    ],
    ['a list parameter in a retrieve request', retrieveMessage, { query: { limit: '1' } }, 'limit'],
    ['a field of a JSON body', sendMessage, { body: { title: 'a', message: 'b' } }, 'title'],
    ['a field of a form', sendMessage, { headers: form, body: 'text=a' }, 'text'],
    ['a nested field of a form', sendMessage, { headers: form, body: 'meta[a]=a' }, 'meta'],
  ])('%s that the operation does not define is rejected', async (_, row, call, param) => {
    // Only strict mode returns this code, so no operation declares it.
    const { statusCode, body } = await invokeHandler(row, {
      as: ann,
      path: { message_id: 'x' },
      ...call,
    });
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      expect.objectContaining({
        code: 'parameter_unknown',
        param,
        message: expect.stringContaining(`'${param}' is not a parameter of this operation. `),
      }),
    ]);
  });

  test('list parameters with brackets, additional attachment fields, and a body copied from a response are accepted', async () => {
    const conversation_id = (await create(ann, { contact_id: 'bob' })).id;
    const attachments = [{ name: 'a', width: 1 }];
    const sent = await send(ann, conversation_id, 'Hello', { attachments });
    const path = { message_id: sent.id };
    expect(await ok(updateMessage, { as: ann, path, body: sent })).toEqual(sent);
    const query = { 'expand[]': 'contact' };
    expect(await ok(listConversations, { as: ann, query })).toMatchObject({ has_more: false });
  });
});
