import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { deleteAgain } from '../../../lib/recovery/delete-again.ts';
import { getItems, putItems } from '../../../lib/running/items.ts';
import { openTable } from '../../../lib/running/table.ts';
import { env } from '../../../shared/env.ts';
import { activity, conversationKey, purgePartition } from '../../../shared/table/keys/keys.ts';
import { ann, person } from '../../support/people.ts';
import { create, removeConversation, send } from '../../support/steps.ts';
import '../../support/table.ts';

const restored = openTable(env('TABLE_NAME'));
const old = 'the-table-in-which-people-went-on';

test('Conversations that have been deleted since are deleted again in the restored table, others are not', async () => {
  const member = person('ann', { groups: ['team'] });
  const { id: kept } = await create(ann, { contact_id: 'bob' });
  const { id: gone } = await create(ann, { contact_id: 'bob' });
  const { id: going } = await create(member, { group_id: 'team' });
  await send(ann, gone, 'Hello');
  const { id: before } = await create(ann, { contact_id: 'bob' });
  await removeConversation(ann, before);
  await makeOldTable({ [kept]: {}, [going]: { deleted_at: 1 } });

  const printed: string[] = [];
  const tools = { table: openTable, now: () => 7, print: (line: string) => printed.push(line) };
  const again = () => deleteAgain(tools, { old, restored: restored.name });
  expect(await again()).toBe(2);
  expect(printed).toEqual(['  3 conversations were looked at, 2 deleted again']);

  const stored = async (id: string) => (await getItems(restored, [conversationKey(id)]))[0];
  expect(await stored(kept)).toMatchObject({ id: kept, created_by: 'ann' });
  // As the operation leaves it.
  const tombstone = await stored(before);
  for (const id of [gone, going]) {
    expect(await stored(id)).toEqual({
      ...tombstone,
      ...conversationKey(id),
      gsi1pk: purgePartition(id),
      activity: activity(7, id),
      deleted_at: 7,
      deletion: expect.any(String),
    });
  }
  expect(await again()).toBe(0);
});

async function makeOldTable(conversations: Record<string, object>) {
  await new DynamoDBClient().send(
    new CreateTableCommand({
      TableName: old,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  const items = Object.entries(conversations).map(([id, more]) => ({
    ...conversationKey(id),
    ...more,
  }));
  await putItems(openTable(old), items);
}
