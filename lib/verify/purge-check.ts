import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import {
  createConversation,
  deleteConversation,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import type { RunningStage } from '../running/stage.ts';
import { type Begun, type Check, Differs, needed } from './check.ts';
import { call } from './client.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const patienceMilliseconds = 6 * 60_000;

/** Begins at once, as the purge waits for a minute or two; the check waits for it. */
export function purgeCheck(subject: Subject): Begun {
  const deleting = deleteOne(subject);
  const check: Check = {
    name: 'Purge: of a deleted conversation nothing is left',
    expected: '0 items in its partition, within six minutes',
    cure: 'docs/runbook.md#purge-errors; npm run redrive begins it again',
    look: async () => {
      const { id, since, running } = await deleting;
      for (;;) {
        const items = await itemsOf(running, id);
        const seconds = Math.round((Date.now() - since) / 1000);
        if (items === 0) return `0 items, ${seconds} s after it was deleted`;
        if (Date.now() - since > patienceMilliseconds) {
          throw new Differs(`${items} items, ${seconds} s after it was deleted`);
        }
        await new Promise((done) => setTimeout(done, 2000));
      }
    },
  };
  return { checks: [check], done: Promise.allSettled([deleting]) };
}

async function deleteOne(subject: Subject) {
  const running = needed(subject.running, noServices);
  const { ANN, BOB } = needed(subject.people, noPeople(subject)).all;
  const { id } = (
    await call(subject.url, ANN, createConversation, { body: { contact_id: BOB.id } })
  ).reply;
  for (const message of ['one', 'two', 'three']) {
    await call(subject.url, ANN, sendMessage, { body: { conversation_id: id, message } });
  }
  if ((await itemsOf(running, id)) < 4)
    throw new Differs('its partition is not where it should be');
  await call(subject.url, ANN, deleteConversation, { path: { conversation_id: id } });
  return { id, since: Date.now(), running };
}

async function itemsOf({ output, dynamodb }: RunningStage, id: string): Promise<number> {
  const client = new DynamoDBClient(dynamodb);
  const { Count = 0 } = await client.send(
    new QueryCommand({
      TableName: output('TableName'),
      ConsistentRead: true,
      Select: 'COUNT',
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': tableKey.partition },
      ExpressionAttributeValues: { ':partition': { S: conversationKey(id).pk } },
    }),
  );
  client.destroy();
  return Count;
}
