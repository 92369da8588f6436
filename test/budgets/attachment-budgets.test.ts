import { expect, test } from '@jest/globals';
import { budgets } from '../../commands/cost/budgets.ts';
import { createAttachment, retrieveAttachment } from '../../shared/contract/operations.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { ann, bob } from '../support/handlers/callers.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { describeFile, upload } from '../support/handlers/use-file-server.ts';
import '../support/setup/use-table.ts';

test('The cost of creating, sending and downloading an attachment', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const file = await upload(ann, id);
  const attachments = [{ id: file }];
  const path = { attachment_id: file };
  expect({
    create: await measureCost(ok(createAttachment, { as: ann, body: describeFile(id, 'Hello') })),
    send: await measureCost(send(ann, id, 'Look', { attachments })),
    retrieve: await measureCost(ok(retrieveAttachment, { as: bob, path })),
  }).toEqual({
    create: toMeasuredBudget(budgets['attachments/create'].new),
    send: toMeasuredBudget(budgets['messages/send'].withUpload),
    retrieve: toMeasuredBudget(budgets['attachments/retrieve'].sent),
  });
});
