import { describe, expect, test } from '@jest/globals';
import { deleteBlock, sendMessage } from '../../../shared/contract/operations.ts';
import { block, create, getBlocks, send, unblock } from '../../support/handlers/api-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { queryAll } from '../../support/table/query-all.ts';
import '../../support/setup/use-table.ts';

const [ann, bob] = [person('ann'), person('bob')];

describe('Unblocking a contact', () => {
  test('lets both contacts send again, and removes the block from the list and the table', async () => {
    const { id } = await create(ann, { contact_id: bob.id });
    await block(ann, bob.id);
    const attempt = { as: bob, body: { conversation_id: id, message: 'Hi' } };
    expect(await refused(sendMessage, attempt)).toMatchObject({ code: 'blocked' });
    expect(await unblock(ann, bob.id)).toEqual({ id: bob.id, deleted: true });
    for (const as of [ann, bob]) await send(as, id, 'Hello');
    expect((await getBlocks(ann)).data).toEqual([]);
    const pair = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'PAIR#ann#bob' },
    };
    expect(await queryAll(pair)).toEqual([]);
  });

  test('returns 404 if the caller has not blocked the contact, even if the contact has blocked the caller', async () => {
    await block(ann, bob.id);
    const missing = { status: 404, code: 'not_found', param: 'contact_id' };
    expect(await refused(deleteBlock, { as: bob, path: { contact_id: ann.id } })).toMatchObject(
      missing,
    );
    await unblock(ann, bob.id);
    expect(await refused(deleteBlock, { as: ann, path: { contact_id: bob.id } })).toMatchObject(
      missing,
    );
  });
});
