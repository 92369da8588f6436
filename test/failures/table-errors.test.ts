import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { retrieveConversation, sendMessage } from '../../shared/contract/operations.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { type Reply, request } from '../support/handlers/invoke-handler.ts';
import { ann } from '../support/people/callers.ts';
import { beforeMessagePut, interceptCalls } from '../support/table/call-hooks.ts';
import { createTableError } from '../support/table/table-error.ts';
import { getSortKeys } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

describe('If a table call fails', () => {
  test.each([
    ['the table is overloaded', createTableError('ProvisionedThroughputExceededException')],
    ['the table has an internal error', createTableError('InternalServerError', {}, 500)],
    [
      'the table cannot be reached',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    ],
    [
      'the table does not reply in time',
      Object.assign(new Error('timeout'), { name: 'TimeoutError' }),
    ],
  ])('because %s, the client gets a 503 with Retry-After: 1', async (_, error) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    interceptCalls(async () => {
      throw error;
    });
    const call = { as: ann, path: { conversation_id: id } };
    expect(await request(retrieveConversation, call)).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: { type: 'api_error', code: 'unavailable', param: null },
    });
  });

  test('because of a conflicting transaction, the service retries the write', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    let conflicts = 0;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'PutItem' && conflicts++ < 2)
        throw createTableError('TransactionConflictException');
      await proceed();
    });
    expect(await send(ann, id, 'Hello')).toMatchObject({ message: 'Hello' });
    expect(conflicts).toBe(3);
  });

  test('and the outcome of a message write is unknown, the service leaves the gap for readers to fill', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    beforeMessagePut(() => Promise.reject(Object.assign(new Error(), { name: 'TimeoutError' })));
    const body = { conversation_id: id, message: 'Hello' };
    expect((await request(sendMessage, { as: ann, body })).status).toBe(503);
    expect(await getSortKeys(id)).toEqual([conversationKey(id).sk]);
  });
});

test('If the code throws an unexpected error, the client gets internal_error, and only the log contains the cause', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  jest.spyOn(clock, 'now').mockImplementation(() => {
    throw new TypeError('secret cause');
  });
  const call = { as: ann, path: { conversation_id: id } };
  let reply: Reply | undefined;
  const lines = await captureLogLines(async () => {
    reply = await request(retrieveConversation, call);
  });
  expect(reply).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(JSON.stringify(reply)).not.toContain('secret');
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'ERROR',
      request_id: reply?.headers['Request-Id'],
      cause: expect.stringContaining('TypeError: secret cause\n    at '),
    }),
  ]);
});
