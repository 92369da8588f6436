import { describe, expect, test } from '@jest/globals';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { anUpdate, beforeFirst, noUpdates } from '../../support/faults.ts';
import { linesOf } from '../../support/log-lines.ts';
import { ann, bob } from '../../support/people.ts';
import { queryAll } from '../../support/query-all.ts';
import { create, list, look, remove, retrieve, send } from '../../support/steps.ts';
import '../../support/table.ts';

describe('While reading cannot be noted', () => {
  test('messages are given all the same, as unread, and are marked the next time', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, 'hello');
    const undo = noUpdates();
    let listed: Awaited<ReturnType<typeof list>>['data'] = [];
    const lines = await linesOf(async () => {
      listed = (await list(bob, id)).data;
    });
    expect(lines).toEqual([expect.objectContaining({ status: 200, fault: 0, lost_marks: 2 })]);
    const retrieved = await retrieve(bob, message);
    undo();
    expect(listed).toEqual([retrieved]);
    expect(retrieved.read_at).toBeNull();
    expect((await look(bob, id)).last_opened_at).toBeNull();

    const [marked] = (await list(bob, id)).data;
    expect(marked?.read_at).toEqual(expect.any(Number));
    expect((await look(bob, id)).last_opened_at).toEqual(expect.any(Number));
  });
});

test('A message that is deleted while somebody lists it stays deleted, and leaves nothing', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const { id: message } = await send(ann, id, 'hello');
  const undo = beforeFirst(anUpdate('read_at'), () => remove(ann, message));
  await list(bob, id);
  undo();
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': conversationKey(id).pk },
  });
  const tombstone = items.find(({ sk }) => String(sk).startsWith('MESSAGE#'));
  expect(Object.keys(tombstone ?? {}).toSorted()).toEqual([
    'deleted_at',
    'deletion',
    'pk',
    'previous_at',
    'sequence',
    'sk',
  ]);
  expect((await list(bob, id)).data).toEqual([]);
});
