import { describe, expect, test } from '@jest/globals';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import {
  create,
  getConversation,
  getMessage,
  list,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { ann, bob } from '../support/people/callers.ts';
import { beforeFirstCall, failUpdates, isUpdate } from '../support/table/call-hooks.ts';
import { queryAll } from '../support/table/query-all.ts';
import '../support/setup/use-table.ts';

describe('While read marks cannot be stored', () => {
  test('reads return messages as unread, the log line of a list counts the lost marks, and a later list stores the marks', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, 'hello');
    const undo = failUpdates();
    let listed: Awaited<ReturnType<typeof list>>['data'] = [];
    const lines = await captureLogLines(async () => {
      listed = (await list(bob, id)).data;
    });
    expect(lines).toEqual([expect.objectContaining({ status: 200, fault: 0, lost_marks: 2 })]);
    const retrieved = await getMessage(bob, message);
    undo();
    expect(listed).toEqual([retrieved]);
    expect(retrieved.read_at).toBeNull();
    expect((await getConversation(bob, id)).last_opened_at).toBeNull();

    const [marked] = (await list(bob, id)).data;
    expect(marked?.read_at).toEqual(expect.any(Number));
    expect((await getConversation(bob, id)).last_opened_at).toEqual(expect.any(Number));
  });
});

test('If a message is deleted while a list marks it as read, only its tombstone remains', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const { id: message } = await send(ann, id, 'hello');
  const undo = beforeFirstCall(isUpdate('read_at'), () => removeMessage(ann, message));
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
