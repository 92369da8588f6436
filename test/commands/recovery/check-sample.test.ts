import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { checkSample } from '../../../commands/recovery/check-sample.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import { env } from '../../../shared/env.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import {
  create,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { documentClient } from '../../support/table/document-client.ts';
import '../../support/setup/use-table.ts';

const sample = () => checkSample(openTable(env('TABLE_NAME')));

test('The sample check accepts a valid table, and reports a message beyond the reserved sequence numbers', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  for (const text of ['one', 'two']) await send(bob, id, text);
  await removeMessage(ann, (await send(ann, id, 'three')).id);
  await create(bob, { contact_id: 'ann' });
  await removeConversation(ann, (await create(ann, { contact_id: 'bob' })).id);
  expect(await sample()).toEqual({ conversations: 2, faults: [] });

  await documentClient.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: conversationKey(id),
      UpdateExpression: 'SET message_count = :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  expect(await sample()).toEqual({
    conversations: 2,
    faults: [`CONVERSATION#${id} has a message with sequence number 2, but its counter is 1.`],
  });
});
