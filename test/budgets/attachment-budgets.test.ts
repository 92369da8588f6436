import { expect, test } from '@jest/globals';
import { budgets, scanBudget } from '../../commands/cost/budgets.ts';
import { createAttachment, retrieveAttachment } from '../../shared/contract/operations.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { describeFile, upload } from '../support/files/use-file-server.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { ann, bob } from '../support/people/callers.ts';
import { recordScanOf } from '../support/workers/scan-worker.ts';
import '../support/setup/use-table.ts';

test('Creating, scanning, sending and retrieving an attachment have the budgeted costs', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const file = await upload(ann, id);
  const attachments = [{ id: file }];
  const path = { attachment_id: file };
  const [scanned, { id: message }] = [
    await upload(ann, id),
    await create(ann, { contact_id: 'eve' }),
  ];
  const other = await upload(ann, message);
  await send(ann, message, 'Look', { attachments: [{ id: other }] });
  expect({
    scanBeforeSend: await measureCost(recordScanOf(scanned, 'NO_THREATS_FOUND')),
    scanAfterSend: await measureCost(recordScanOf(other, 'NO_THREATS_FOUND')),
    create: await measureCost(ok(createAttachment, { as: ann, body: describeFile(id, 'Hello') })),
    send: await measureCost(send(ann, id, 'Look', { attachments })),
    retrieve: await measureCost(ok(retrieveAttachment, { as: bob, path })),
  }).toEqual({
    scanBeforeSend: toMeasuredBudget(scanBudget.beforeSend),
    scanAfterSend: toMeasuredBudget(scanBudget.afterSend),
    create: toMeasuredBudget(budgets['attachments/create'].new),
    send: toMeasuredBudget(budgets['messages/send'].withUpload),
    retrieve: toMeasuredBudget(budgets['attachments/retrieve'].sent),
  });
});
