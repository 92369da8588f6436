import { expect, test } from '@jest/globals';
import { createConversation } from '../../shared/contract/operations.ts';
import { person } from '../support/handlers/callers.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

test('After a retryable error, no work of the request continues', async () => {
  const replied = Promise.withResolvers<void>();
  const operations: string[] = [];
  const wire = interceptHttp(async ({ operation, body }, goOn) => {
    operations.push(operation);
    // The write of the caller's contact fails while the distinct conversation is searched.
    if (operation === 'UpdateItem' && body.includes('CONTACT#'))
      throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
    await replied.promise;
    return goOn();
  });
  const body = { contact_id: 'bob', distinct: true };
  const { status } = await request(createConversation, { as: person('ann'), body });
  replied.resolve();
  await wire.calm();
  expect(status).toBe(503);
  expect(operations).toContain('GetItem');
  expect(operations).not.toContain('TransactWriteItems');
});
