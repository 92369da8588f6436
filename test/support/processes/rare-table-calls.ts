import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { localService } from '../../../commands/stage/stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { OnTableCall } from '../../../local-cloud/table/proxy.ts';
import {
  createConversation,
  deleteMessage,
  listConversations,
  listMessages,
  retrieveConversation,
  sendMessage,
  updateConversation,
} from '../../../shared/contract/operations.ts';
import { newConversationId, toMessageId } from '../../../shared/ids.ts';
import type { ConversationTombstone } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  conversationKey,
  distinctKey,
  feedMaintenanceKey,
  type Key,
  messageKey,
} from '../../../shared/table/keys/keys.ts';
import {
  type MessageTombstone,
  newMessage,
} from '../../../shared/table/messages/log/message-item.ts';
import { call, type Person, send } from '../../acceptance/support/api.ts';
import { waitUntil } from './wait-until.ts';

const hour = 60 * 60 * 1000;

/** Puts of messages are held up from its begin to its end. */
interface Hold {
  begun: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<void>;
}

/** What the functions do only when something is slow or late: no story over HTTP alone can bring it about. */
export function createRareTableCalls(): {
  onTableCall: OnTableCall;
  provoke(cloud: Cloud): Promise<void>;
} {
  let hold: Hold | undefined;
  let hasTidiedUp = false;
  return {
    onTableCall: async ({ functionId, operation }) => {
      hasTidiedUp ||= functionId.startsWith('MessagesDelete') && operation === 'BatchWriteItem';
      if (functionId.startsWith('MessagesSend') && operation === 'PutItem') {
        hold?.begun.resolve();
        await hold?.ended.promise;
      }
      return undefined;
    },
    provoke: async (cloud) => {
      for (const read of readOperations) {
        hold = { begun: Promise.withResolvers(), ended: Promise.withResolvers() };
        await readAboveSlowSender(cloud, read, hold).finally(hold.ended.resolve);
        await readWhatWasDeleted(cloud, read);
      }
      await countOverWhatWasDeleted(cloud);
      await deleteUntil(cloud, () => hasTidiedUp);
      await purgeAndDefer(cloud);
      await failToReport(cloud);
      await maintainFeeds(cloud);
    },
  };
}

type Read = (who: Person, conversationId: string, lastId: string) => Promise<unknown>;
const readOperations: Read[] = [
  (who, conversation_id) => call(who, listMessages, { query: { conversation_id } }),
  (who, conversation_id, last_read_message_id) =>
    call(who, updateConversation, { path: { conversation_id }, body: { last_read_message_id } }),
];

/**
 * A message has its place but is not there yet, and somebody reads the next one: the place is marked as empty. The next
 * one comes with an Idempotency-Key: it is put by a transaction, which is not held up.
 */
async function readAboveSlowSender(cloud: Cloud, read: Read, hold: Hold): Promise<void> {
  Object.assign(process.env, { API_URL: cloud.url });
  const ann = { id: 'ann', token: await cloud.token('ann') };
  const { id } = await call(ann, createConversation, { body: { contact_id: 'ann' } });
  const slow = send(ann, sendMessage, { body: { conversation_id: id, message: 'I am slow' } });
  await hold.begun.promise;
  const { id: next } = await call(ann, sendMessage, {
    body: { conversation_id: id, message: 'I am not' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
  await read(ann, id, next);
  hold.ended.resolve();
  await (await slow).arrayBuffer();
}

/** A conversation of which much was deleted long ago: who reads it tidies up. */
async function readWhatWasDeleted(cloud: Cloud, read: Read): Promise<void> {
  const ann = { id: 'ann', token: await cloud.token('ann') };
  const { id } = await call(ann, createConversation, { body: { contact_id: 'ann' } });
  await seedTombstones(cloud, id, 700);
  await read(
    ann,
    id,
    toMessageId({ conversationId: id, sequence: 700, sentAt: Date.now() - hour }),
  );
}

/** The same, when it is counted what is unread: who does so notes how far there was nothing. */
async function countOverWhatWasDeleted(cloud: Cloud): Promise<void> {
  const ann = { id: 'ann', token: await cloud.token('ann') };
  const query = { 'expand[]': 'unread_count' };
  const looks = [
    (conversation_id: string) =>
      call(ann, retrieveConversation, { path: { conversation_id }, query }),
    () => call(ann, listConversations, { query }),
  ];
  for (const look of looks) {
    const { id } = await call(ann, createConversation, { body: { contact_id: 'ann' } });
    await seedTombstones(cloud, id, 101);
    await look(id);
  }
}

/** The same, when nobody has listed it: of the deletions of today one will look around, and tidy up. */
async function deleteUntil(cloud: Cloud, isEnough: () => boolean): Promise<void> {
  const ann = { id: 'ann', token: await cloud.token('ann') };
  const { id } = await call(ann, createConversation, { body: { contact_id: 'ann' } });
  await seedTombstones(cloud, id, 100);
  while (!isEnough()) {
    const body = { conversation_id: id, message: 'Not for long' };
    const { id: message_id } = await call(ann, sendMessage, { body });
    await call(ann, deleteMessage, { path: { message_id } });
  }
}

/** As deletions would have left them an hour ago. */
async function seedTombstones(
  { tableEndpoint, tableName: TableName }: Cloud,
  id: string,
  count: number,
) {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(localService(tableEndpoint)));
  const previous_at = Date.now() - hour;
  for (let sequence = 1; sequence <= count; sequence++) {
    const tombstone: MessageTombstone = {
      sequence,
      previous_at,
      deleted_at: previous_at,
      deletion: 'a deletion',
    };
    await table.send(
      new PutCommand({ TableName, Item: { ...messageKey(id, sequence), ...tombstone } }),
    );
  }
  await table.send(
    new UpdateCommand({
      TableName,
      Key: { ...conversationKey(id) },
      UpdateExpression: 'SET message_count = :count',
      ExpressionAttributeValues: { ':count': count },
    }),
  );
  table.destroy();
}

/** A message of a conversation of which the live worker has not heard: it asks who takes part. */
async function failToReport({ tableEndpoint, tableName: TableName }: Cloud): Promise<void> {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(localService(tableEndpoint)));
  const sentAt = Date.now();
  const position = { conversationId: newConversationId(sentAt), sequence: 1, sentAt };
  const Key = { ...messageKey(position.conversationId, 1) };
  const message = newMessage(
    position,
    'ann',
    { message: 'Who hears me?', attachments: [] },
    sentAt,
  );
  await table.send(new PutCommand({ TableName, Item: { ...Key, ...message } }));
  await table.send(new DeleteCommand({ TableName, Key }));
  table.destroy();
}

/** Feeds of a person and of a group whose months are over: they are looked after, and will be again. */
async function maintainFeeds(cloud: Cloud): Promise<void> {
  const { tableEndpoint, tableName: TableName } = cloud;
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(localService(tableEndpoint)));
  const ann = { id: 'ann', token: await cloud.token('ann', { groups: ['team'] }) };
  const feeds = [
    { kind: 'contact', id: 'ann' },
    { kind: 'group', id: 'team' },
  ] as const;
  for (const inbox of feeds) {
    await call(ann, createConversation, { body: { [`${inbox.kind}_id`]: inbox.id } });
    const Key = { ...feedMaintenanceKey(inbox) };
    const isThere = async () => {
      const { Item } = await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      return Item !== undefined;
    };
    await waitUntil(isThere);
    await table.send(new DeleteCommand({ TableName, Key }));
    await waitUntil(isThere);
  }
  table.destroy();
}

/** The one conversation of two that was deleted long ago, with a message, and one that was deleted only later by the worker's clock. */
async function purgeAndDefer({ tableEndpoint, tableName }: Cloud): Promise<void> {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(localService(tableEndpoint)));
  const put = (Item: object) =>
    table.send(new PutCommand({ TableName: tableName, Item: { ...Item } }));
  const read = async (key: Key) =>
    (await table.send(new GetCommand({ TableName: tableName, Key: { ...key } }))).Item;

  const now = Date.now();
  const [past, future] = [newConversationId(now), newConversationId(now)];
  const tombstone = (deleted_at: number): ConversationTombstone => ({
    deleted_at,
    deletion: 'a deletion',
  });
  await put(messageKey(past, 1));
  const { pk: distinct_pair } = distinctKey('somebody', 'else');
  await put({ ...conversationKey(past), ...tombstone(now - hour), distinct_pair });
  await put({ ...conversationKey(future), ...tombstone(now + hour) });
  await waitUntil(async () => (await read(conversationKey(past))) === undefined);
  await waitUntil(async () => (await read(conversationKey(future)))?.touched_at !== undefined);
  // Else it would be touched again and again.
  await table.send(
    new DeleteCommand({ TableName: tableName, Key: { ...conversationKey(future) } }),
  );
  table.destroy();
}
