import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import { type Conversation, deleteAgain } from '../../../lib/recovery/delete-again.ts';
import { env } from '../../../shared/env.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { ann, person } from '../../support/people.ts';
import { create, removeConversation, send } from '../../support/steps.ts';
import '../../support/table.ts';

const client = new DynamoDBClient();
const old = 'the-table-in-which-people-went-on';

test('Conversations that have been deleted since are deleted again in the restored table, others are not', async () => {
  const member = person('ann', { groups: ['team'] });
  const { id: kept } = await create(ann, { contact_id: 'bob' });
  const { id: gone } = await create(ann, { contact_id: 'bob' });
  const { id: going } = await create(member, { group_id: 'team' });
  await send(ann, gone, 'Hello');
  await removeConversation(ann, (await create(ann, { contact_id: 'bob' })).id);
  await makeOldTable({ [kept]: {}, [going]: { deleted_at: 1 } });

  const removed: Conversation[] = [];
  const printed: string[] = [];
  const world = {
    client,
    now: Date.now,
    sleep: async () => {},
    print: (line: string) => {
      printed.push(line);
    },
  };
  const remove = async (conversation: Conversation) => {
    removed.push(conversation);
  };
  expect(await deleteAgain(world, { old, restored: env('TABLE_NAME'), remove })).toBe(2);
  const byId = (a: Conversation, b: Conversation) => a.id.localeCompare(b.id);
  expect(removed.sort(byId)).toEqual(
    [
      { id: gone, created_by: 'ann' },
      { id: going, created_by: 'ann', group_id: 'team' },
    ].sort(byId),
  );
  expect(printed).toEqual(['  3 conversations were looked at, 2 deleted again']);
});

async function makeOldTable(conversations: Record<string, object>) {
  await client.send(
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
  for (const [id, details] of Object.entries(conversations)) {
    const Item = marshall({ ...conversationKey(id), ...details });
    await client.send(new PutItemCommand({ TableName: old, Item }));
  }
}
