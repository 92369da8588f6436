import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { saveBusinesses } from '../../../commands/businesses/save-businesses.ts';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { OnTableCall } from '../../../local-cloud/table/table-proxy.ts';
import { WorkTime } from '../../../shared/contract/business/work-time.ts';
import { listing } from '../../../shared/contract/examples.ts';
import {
  createAttachment,
  createBlock,
  createConversation,
  createReport,
  deleteMessage,
  listBusinesses,
  listConversations,
  listEvents,
  listMessages,
  retrieveContact,
  retrieveConversation,
  retrieveLive,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { newConversationId, toMessageId } from '../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import type { ConversationTombstone } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  conversationKey,
  distinctKey,
  feedMaintenanceKey,
  type Key,
  messageKey,
  pairBlocksKey,
} from '../../../shared/table/keys/keys.ts';
import {
  type MessageTombstone,
  newMessage,
} from '../../../shared/table/messages/log/message-item.ts';
import { call, type Person, send } from '../../acceptance/support/api.ts';
import { purgeGroups } from './purge-groups.ts';
import { waitUntil } from './wait-until.ts';

const hour = 60 * 60 * 1000;

/** Delays writes of messages, or of results of scans, from begin to end. */
interface Hold {
  begun: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<void>;
}

/**
 * Table calls that occur only after delays or crashes, which no scenario over HTTP alone can cause.
 * Nora, unlike Ann of the scenarios, has no name: functions cache the contacts they read.
 */
export function createRareTableCalls(): {
  onTableCall: OnTableCall;
  provoke(cloud: Cloud): Promise<void>;
} {
  let hold: Hold | undefined;
  let scanHold: Hold | undefined;
  let hasTidiedUp = false;
  return {
    onTableCall: async ({ functionId, operation }) => {
      hasTidiedUp ||= functionId.startsWith('MessagesDelete') && operation === 'BatchWriteItem';
      if (functionId.startsWith('MessagesSend') && operation === 'PutItem') {
        hold?.begun.resolve();
        await hold?.ended.promise;
      }
      if (functionId.startsWith('Scan') && operation === 'UpdateItem') {
        scanHold?.begun.resolve();
        await scanHold?.ended.promise;
      }
      return undefined;
    },
    provoke: async (cloud) => {
      Object.assign(process.env, { API_URL: cloud.url });
      // Steps that wait for the purge worker are first: after a block or an edit of large text, the
      // worker waits for a minute.
      await purgeAndDefer(cloud);
      await followBlocks(cloud);
      await maintainFeeds(cloud);
      await purgeGroups(cloud);
      await blockContact(cloud);
      for (const read of readOperations) {
        hold = { begun: Promise.withResolvers(), ended: Promise.withResolvers() };
        await readAboveSlowSender(cloud, read, hold).finally(hold.ended.resolve);
        await readWhatWasDeleted(cloud, read);
      }
      await countOverWhatWasDeleted(cloud);
      await deleteUntil(cloud, () => hasTidiedUp);
      await editToLargeText(cloud);
      await readUnknownContact(cloud);
      await listDeletedReadMessage(cloud);
      await assignConversation(cloud);
      await writeToClosedBusiness(cloud);
      await failToReport(cloud);
      await readManyGroups(cloud);
      await recordOldestAsDistinct(cloud);
      scanHold = { begun: Promise.withResolvers(), ended: Promise.withResolvers() };
      await sendBeforeScan(cloud, scanHold).finally(scanHold.ended.resolve);
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
 * A message is reserved but not stored while a client reads the next one, so the reader fills the
 * gap with a tombstone. The next message has an Idempotency-Key: a transaction, which is not
 * delayed, stores it.
 */
async function readAboveSlowSender(cloud: Cloud, read: Read, hold: Hold): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const slow = send(nora, sendMessage, { body: { conversation_id: id, message: 'I am slow' } });
  await hold.begun.promise;
  const { id: next } = await call(nora, sendMessage, {
    body: { conversation_id: id, message: 'I am not' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
  await read(nora, id, next);
  hold.ended.resolve();
  await (await slow).arrayBuffer();
}

/** A file is sent before the result of its scan is stored, which then changes the message. */
async function sendBeforeScan(cloud: Cloud, hold: Hold): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const text = 'Not scanned yet';
  const sha256 = createHash('sha256').update(text).digest('base64');
  const { id: file, upload } = await call(nora, createAttachment, {
    body: { conversation_id: id, name: 'a.txt', type: 'text/plain', size: text.length, sha256 },
  });
  const { method, url, headers } = upload;
  const uploading = fetch(url, { method, headers, body: text });
  await hold.begun.promise;
  const body = { conversation_id: id, message: '', attachments: [{ id: file }] };
  const { id: message_id } = await call(nora, sendMessage, { body });
  hold.ended.resolve();
  await uploading;
  const { attachments } = await call(nora, retrieveMessage, { path: { message_id } });
  const [shown] = attachments;
  if (shown?.status !== 'clean') throw new Error(`The file is shown as ${shown?.status}.`);
}

/** A conversation with many messages deleted long ago: reading it runs maintenance. */
async function readWhatWasDeleted(cloud: Cloud, read: Read): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  await seedTombstones(cloud, id, 700);
  await read(
    nora,
    id,
    toMessageId({ conversationId: id, sequence: 700, sentAt: Date.now() - hour }),
  );
}

/** Same, but counting unread messages stores the range bounds. */
async function countOverWhatWasDeleted(cloud: Cloud): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const query = { 'expand[]': 'unread_count' };
  const looks = [
    (conversation_id: string) =>
      call(nora, retrieveConversation, { path: { conversation_id }, query }),
    () => call(nora, listConversations, { query }),
  ];
  for (const look of looks) {
    const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
    await seedTombstones(cloud, id, 101);
    await look(id);
  }
}

/** Same, but without a listing: one of the new deletions scans neighbours and runs maintenance. */
async function deleteUntil(cloud: Cloud, isEnough: () => boolean): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  await seedTombstones(cloud, id, 100);
  while (!isEnough()) {
    const body = { conversation_id: id, message: 'Not for long' };
    const { id: message_id } = await call(nora, sendMessage, { body });
    await call(nora, deleteMessage, { path: { message_id } });
  }
}

/** Large content is put into an item of its own. */
async function editToLargeText(cloud: Cloud): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const body = { conversation_id: id, message: 'Short' };
  const { id: message_id } = await call(nora, sendMessage, { body });
  await call(nora, updateMessage, { path: { message_id }, body: { message: 'x'.repeat(2000) } });
}

/** Replies that show a contact that no function has cached. */
async function readUnknownContact(cloud: Cloud): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const { id } = await call(nora, createConversation, { body: { contact_id: 'unknown' } });
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(cloud.tableEndpoint)),
  );
  const position = { conversationId: id, sequence: 9, sentAt: Date.now() };
  const quoted = newMessage(position, 'unknown', { message: 'Hello', attachments: [] }, 0);
  const Item = { ...messageKey(id, 9), ...quoted };
  await table.send(new PutCommand({ TableName: cloud.tableName, Item }));
  table.destroy();
  const query = { 'expand[]': 'reply_to' };
  const body = { conversation_id: id, message: 'Hello', reply_to_id: quoted.id };
  await call(nora, sendMessage, { query, body });
  const reactions = { seen: ['nora'] };
  await call(nora, updateMessage, { path: { message_id: quoted.id }, body: { reactions } });
  const shown = { path: { conversation_id: id }, query: { 'expand[]': 'contact' } };
  await call(nora, retrieveConversation, shown);
  await call(nora, updateConversation, { ...shown, body: { is_muted: true } });
}

/** An event of an opening whose last read message was deleted since. */
async function listDeletedReadMessage(cloud: Cloud): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const reader = { id: 'reader', token: await cloud.token('reader') };
  const { cursor } = await call(nora, retrieveLive);
  const { id } = await call(nora, createConversation, { body: { contact_id: reader.id } });
  const body = { conversation_id: id, message: 'Not for long' };
  const { id: message_id } = await call(nora, sendMessage, { body });
  await call(reader, listMessages, { query: { conversation_id: id } });
  await call(nora, deleteMessage, { path: { message_id } });
  await waitUntil(async () => {
    const query = { starting_after: cursor, limit: '100' };
    const { data } = await call(nora, listEvents, { query });
    return data.some(({ type }) => type === 'reader.updated');
  });
}

/** The tokens of the scenarios have no staff. */
async function assignConversation(cloud: Cloud): Promise<void> {
  const customer = { id: 'customer', token: await cloud.token('customer') };
  const { data } = await call(customer, listBusinesses, { query: { active: 'true', limit: '1' } });
  const business_id = data.flatMap((one) => ('public_id' in one ? [one.public_id] : []))[0];
  if (!business_id) throw new Error('An active business is needed.');
  const groups = [`business:${business_id}`];
  const staff = { id: 'staff', token: await cloud.token('staff', { groups }) };
  const { id } = await call(customer, createConversation, { body: { business_id } });
  const path = { conversation_id: id };
  await call(staff, updateConversation, { path, body: { assigned_to: staff.id } });
  await call(staff, listConversations, { query: { assigned_to: 'me' } });
}

/** The business has no hours, so it is closed, and answers with a text in an item of its own. */
async function writeToClosedBusiness(cloud: Cloud): Promise<void> {
  const weekdays = Object.keys(listing.work_time ?? {});
  const work_time = v.parse(WorkTime, Object.fromEntries(weekdays.map((day) => [day, null])));
  const public_id = 'closed-for-good';
  const closed = { ...listing, public_id, work_time, auto_reply: 'Closed. '.repeat(200) };
  await saveBusinesses(openTable(cloud.tableName, toLocalServiceConfig(cloud.tableEndpoint)), [
    closed,
  ]);
  const customer = { id: 'customer', token: await cloud.token('customer') };
  const body = { business_id: public_id };
  const { id: conversation_id } = await call(customer, createConversation, { body });
  await call(customer, sendMessage, { body: { conversation_id, message: 'Are you open?' } });
  await waitUntil(async () => {
    const { data } = await call(customer, listMessages, { query: { conversation_id } });
    return data.some(({ contact }) => contact.id === `business:${public_id}`);
  });
}

/** Range bounds as deletions an hour ago would have left them. */
async function seedTombstones(
  { tableEndpoint, tableName: TableName }: Cloud,
  id: string,
  count: number,
) {
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
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

/** A message of a conversation unknown to the live worker, which reads its members. */
async function failToReport({ tableEndpoint, tableName: TableName }: Cloud): Promise<void> {
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const sentAt = Date.now();
  const position = { conversationId: newConversationId(sentAt), sequence: 1, sentAt };
  const Key = { ...messageKey(position.conversationId, 1) };
  const message = newMessage(
    position,
    'nora',
    { message: 'Who hears me?', attachments: [] },
    sentAt,
  );
  await table.send(new PutCommand({ TableName, Item: { ...Key, ...message } }));
  await table.send(new DeleteCommand({ TableName, Key }));
  table.destroy();
}

/**
 * Feeds of a person and of a group whose retention has ended: maintenance runs, and is scheduled
 * again.
 */
async function maintainFeeds(cloud: Cloud): Promise<void> {
  const { tableEndpoint, tableName: TableName } = cloud;
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const nora = { id: 'nora', token: await cloud.token('nora', { groups: ['team'] }) };
  const feeds = [
    { kind: 'contact', id: 'nora' },
    { kind: 'group', id: 'team' },
  ] as const;
  for (const inbox of feeds) {
    await call(nora, createConversation, { body: { [`${inbox.kind}_id`]: inbox.id } });
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

/** A block and an unblock that stopped midway an hour ago. */
async function followBlocks(cloud: Cloud): Promise<void> {
  const { tableEndpoint, tableName: TableName } = cloud;
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const at = Date.now() - hour;
  for (const [blocked, isBlocked] of [
    ['blocked', true],
    ['unblocked', false],
  ] as const) {
    const participants = { contact_id: blocked };
    const conversation = newConversation(newConversationId(at), 'blocker', participants);
    const Key = { ...conversationKey(conversation.id) };
    const Item = {
      ...toStoredConversation(conversation),
      ...(!isBlocked && { blocked_by: new Set(['blocker']) }),
      message_count: 1,
    };
    await table.send(new PutCommand({ TableName, Item }));
    const record = {
      ...pairBlocksKey('blocker', blocked),
      first_change: 'a change',
      first_changed_at: at,
      second_change: 'a change',
      second_changed_at: at,
      ...(isBlocked && { second_blocked_at: at }),
    };
    await table.send(new PutCommand({ TableName, Item: record }));
    await waitUntil(async () => {
      const { Item: now } = await table.send(new GetCommand({ TableName, Key }));
      return (now?.blocked_by !== undefined) === isBlocked;
    });
  }
  table.destroy();
}

/** A block in a conversation with a reservation. */
async function blockContact(cloud: Cloud): Promise<void> {
  const blocker = { id: 'blocker', token: await cloud.token('blocker') };
  await call(blocker, createBlock, { path: { contact_id: 'unblocked' } });
}

/**
 * A member of many groups, who sends in a group's conversation from an hour ago. Six groups suffice
 * for reading their heads.
 */
async function readManyGroups(cloud: Cloud): Promise<void> {
  const { tableEndpoint, tableName: TableName } = cloud;
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
  const groups = Array.from({ length: 6 }, (_, n) => `one-of-many-${n}`);
  const member = { id: 'member', token: await cloud.token('member', { groups }) };
  const group_id = groups[0] ?? '';
  const conversation = newConversation(newConversationId(Date.now() - hour), 'nora', { group_id });
  await table.send(new PutCommand({ TableName, Item: toStoredConversation(conversation) }));
  table.destroy();
  await call(member, sendMessage, { body: { conversation_id: conversation.id, message: 'Hi' } });
  await call(member, listConversations, { query: {} });
  await call(member, listMessages, { query: {} });
  await call(member, listEvents, { query: {} });
  const { cursor } = await call(member, retrieveLive, {});
  await call(member, listEvents, { query: { starting_after: cursor } });
  await send(member, retrieveContact, { path: { contact_id: 'stranger' } });
  await send(member, createReport, { body: { contact_id: 'stranger', reason: 'spam' } });
}

/** A distinct conversation that was created as a plain one. */
async function recordOldestAsDistinct(cloud: Cloud): Promise<void> {
  const nora = { id: 'nora', token: await cloud.token('nora') };
  const body = { contact_id: 'contact-of-a-plain-conversation' };
  await call(nora, createConversation, { body });
  await call(nora, createConversation, { body: { ...body, distinct: true } });
}

/**
 * A distinct conversation with a message, deleted long ago, and one deleted later by the worker's
 * clock.
 */
async function purgeAndDefer({ tableEndpoint, tableName }: Cloud): Promise<void> {
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient(toLocalServiceConfig(tableEndpoint)),
  );
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
  const { pk: distinct_pair } = distinctKey('other', 'pair');
  await put({ ...conversationKey(past), ...tombstone(now - hour), distinct_pair });
  await put({ ...conversationKey(future), ...tombstone(now + hour) });
  await waitUntil(async () => (await read(conversationKey(past))) === undefined);
  await waitUntil(async () => (await read(conversationKey(future)))?.touched_at !== undefined);
  // Otherwise the item would be updated repeatedly.
  await table.send(
    new DeleteCommand({ TableName: tableName, Key: { ...conversationKey(future) } }),
  );
  table.destroy();
}
