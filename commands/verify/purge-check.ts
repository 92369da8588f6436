import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import {
  createConversation,
  deleteConversation,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import { type StageTable, tableOf } from '../stage/table.ts';
import { type Begun, type Check, Differs, needed } from './check.ts';
import { call } from './client.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const patienceMilliseconds = 6 * 60_000;

/** Starts immediately, because the purge waits for one to two minutes; the check waits for it. */
export function purgeCheck(subject: Subject): Begun {
  const deleting = deleteOne(subject);
  const check: Check = {
    name: 'Purge: no item of a deleted conversation remains',
    expected: '0 items in its partition, within six minutes',
    cure: 'see docs/runbook.md#purge-errors; npm run redrive restarts the purge',
    look: async () => {
      const { id, since, table } = await deleting;
      for (;;) {
        const items = await itemsOf(table, id);
        const seconds = Math.round((Date.now() - since) / 1000);
        if (items === 0) return `0 items, ${seconds} s after the deletion`;
        if (Date.now() - since > patienceMilliseconds) {
          throw new Differs(`${items} items, ${seconds} s after the deletion`);
        }
        await new Promise((done) => setTimeout(done, 2000));
      }
    },
  };
  return { checks: [check], done: Promise.allSettled([deleting]) };
}

async function deleteOne(subject: Subject) {
  const table = tableOf(needed(subject.running, noServices));
  const { ANN, BOB } = needed(subject.people, noPeople(subject)).all;
  const { id } = (
    await call(subject.url, ANN, createConversation, { body: { contact_id: BOB.id } })
  ).reply;
  for (const message of ['one', 'two', 'three']) {
    await call(subject.url, ANN, sendMessage, { body: { conversation_id: id, message } });
  }
  if ((await itemsOf(table, id)) < 4) throw new Differs('its partition was not found');
  await call(subject.url, ANN, deleteConversation, { path: { conversation_id: id } });
  return { id, since: Date.now(), table };
}

async function itemsOf({ client, name }: StageTable, id: string): Promise<number> {
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      ConsistentRead: true,
      Select: 'COUNT',
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': tableKey.partition },
      ExpressionAttributeValues: { ':partition': conversationKey(id).pk },
    },
  );
  let items = 0;
  for await (const { Count = 0 } of pages) items += Count;
  return items;
}
