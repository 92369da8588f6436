import { expect, test } from '@jest/globals';
import { sendMessage } from '../../shared/contract/operations.ts';
import { request } from '../support/handlers.ts';
import { ann, person } from '../support/people.ts';
import { create } from '../support/steps.ts';
import { onTheWire } from '../support/wire.ts';
import '../support/table.ts';

test('Once a client has been told to come again nothing of its request goes on', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const replied = Promise.withResolvers<void>();
  const operations: string[] = [];
  const wire = onTheWire(async ({ operation, body }, goOn) => {
    operations.push(operation);
    // Who sends is not noted; meanwhile the message gets its place.
    if (body.includes('CONTACT#')) throw Object.assign(new Error(), { code: 'ECONNREFUSED' });
    await replied.promise;
    return goOn();
  });
  // With news of themselves to be noted.
  const as = person('ann', { username: 'Ann the Second' });
  const body = { conversation_id: id, message: 'Hello' };
  const { status } = await request(sendMessage, { as, body });
  replied.resolve();
  await wire.calm();
  expect(status).toBe(503);
  expect(operations).not.toContain('PutItem');
});
