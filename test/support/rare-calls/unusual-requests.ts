import * as v from 'valibot';
import { saveBusinesses } from '../../../commands/businesses/save-businesses.ts';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { WorkTime } from '../../../shared/contract/business/work-time.ts';
import { listing } from '../../../shared/contract/examples.ts';
import {
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
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { newConversationId } from '../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import { messageKey } from '../../../shared/table/keys/keys.ts';
import { newMessage } from '../../../shared/table/messages/log/message-item.ts';
import { call, type Person, send } from '../../acceptance/support/api.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { Hold } from './delayed-writes.ts';
import { hour, type Items } from './table-items.ts';

const text = (message: string) => ({ message, attachments: [] });

/** Edits a message to a text so large that it needs its own item. */
export async function editToLargeText(nora: Person): Promise<void> {
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const body = { conversation_id: id, message: 'Short' };
  const { id: message_id } = await call(nora, sendMessage, { body });
  await call(nora, updateMessage, { path: { message_id }, body: { message: 'x'.repeat(2000) } });
}

/** Sends requests whose replies show a contact that no function has cached. */
export async function readUnknownContact({ put }: Items, nora: Person): Promise<void> {
  const { id } = await call(nora, createConversation, { body: { contact_id: 'unknown' } });
  const position = { conversationId: id, sequence: 9, sentAt: Date.now() };
  const quoted = newMessage(position, 'unknown', text('Hello'), 0);
  await put({ ...messageKey(id, 9), ...quoted });
  const body = { conversation_id: id, message: 'Hello', reply_to_id: quoted.id };
  await call(nora, sendMessage, { query: { 'expand[]': 'reply_to' }, body });
  const reactions = { seen: ['nora'] };
  await call(nora, updateMessage, { path: { message_id: quoted.id }, body: { reactions } });
  const shown = { path: { conversation_id: id }, query: { 'expand[]': 'contact' } };
  await call(nora, retrieveConversation, shown);
  await call(nora, updateConversation, { ...shown, body: { is_muted: true } });
}

/** Deletes a read message before the live worker publishes the event for the read mark. */
export async function publishDeletedReadMessage(
  cloud: Cloud,
  nora: Person,
  hold: Hold,
): Promise<void> {
  const reader = { id: 'reader', token: await cloud.token('reader') };
  const { cursor } = await call(nora, retrieveLive);
  const { id } = await call(nora, createConversation, { body: { contact_id: reader.id } });
  const body = { conversation_id: id, message: 'Not for long' };
  const { id: message_id } = await call(nora, sendMessage, { body });
  await call(reader, listMessages, { query: { conversation_id: id } });
  await call(nora, deleteMessage, { path: { message_id } });
  hold.ended.resolve();
  await waitUntil(async () => {
    const query = { starting_after: cursor, limit: '100' };
    const { data } = await call(nora, listEvents, { query });
    return data.some(({ type }) => type === 'reader.updated');
  });
}

/** Creates a staff user who assigns a conversation. The scenarios have no staff token. */
export async function assignConversation(cloud: Cloud): Promise<void> {
  const customer = { id: 'customer', token: await cloud.token('customer') };
  const { data } = await call(customer, listBusinesses, { query: { active: 'true', limit: '1' } });
  const business_id = data.flatMap((one) => ('public_id' in one ? [one.public_id] : []))[0];
  if (!business_id) throw new Error('The table contains no active business.');
  const groups = [`business:${business_id}`];
  const staff = { id: 'staff', token: await cloud.token('staff', { groups }) };
  const { id } = await call(customer, createConversation, { body: { business_id } });
  const path = { conversation_id: id };
  await call(staff, updateConversation, { path, body: { assigned_to: staff.id } });
  await call(staff, listConversations, { query: { assigned_to: 'me' } });
}

/** Sends a message to a business that is always closed. The automatic reply needs its own item. */
export async function writeToClosedBusiness(cloud: Cloud): Promise<void> {
  const weekdays = Object.keys(listing.work_time ?? {});
  const work_time = v.parse(WorkTime, Object.fromEntries(weekdays.map((day) => [day, null])));
  const public_id = 'closed-for-good';
  const closed = { ...listing, public_id, work_time, auto_reply: 'Closed. '.repeat(200) };
  const table = openTable(cloud.tableName, toLocalServiceConfig(cloud.tableEndpoint));
  await saveBusinesses(table, [closed]);
  const customer = { id: 'customer', token: await cloud.token('customer') };
  const body = { business_id: public_id };
  const { id: conversation_id } = await call(customer, createConversation, { body });
  await call(customer, sendMessage, { body: { conversation_id, message: 'Are you open?' } });
  await waitUntil(async () => {
    const { data } = await call(customer, listMessages, { query: { conversation_id } });
    return data.some(({ contact }) => contact.id === `business:${public_id}`);
  });
}

/**
 * Stores and removes a message of a nonexistent conversation, so that the live worker cannot read
 * the participants.
 */
export async function failToPublish({ put, remove }: Items): Promise<void> {
  const sentAt = Date.now();
  const position = { conversationId: newConversationId(sentAt), sequence: 1, sentAt };
  const key = messageKey(position.conversationId, 1);
  await put({ ...key, ...newMessage(position, 'nora', text('To no one'), sentAt) });
  await remove(key);
}

/**
 * Sends requests as a member of six groups. If the caller has more than five groups, list requests
 * read the group heads.
 */
export async function readManyGroups({ put }: Items, cloud: Cloud): Promise<void> {
  const groups = Array.from({ length: 6 }, (_, n) => `one-of-many-${n}`);
  const member = { id: 'member', token: await cloud.token('member', { groups }) };
  const group_id = groups[0] ?? '';
  const conversation = newConversation(newConversationId(Date.now() - hour), 'nora', { group_id });
  await put(toStoredConversation(conversation));
  await call(member, sendMessage, { body: { conversation_id: conversation.id, message: 'Hi' } });
  await call(member, listConversations, { query: {} });
  await call(member, listMessages, { query: {} });
  await call(member, listEvents, { query: {} });
  const { cursor } = await call(member, retrieveLive, {});
  await call(member, listEvents, { query: { starting_after: cursor } });
  await send(member, retrieveContact, { path: { contact_id: 'stranger' } });
  await send(member, createReport, { body: { contact_id: 'stranger', reason: 'spam' } });
}

/** Creates a plain conversation, then requests the distinct conversation with the contact. */
export async function recordOldestAsDistinct(nora: Person): Promise<void> {
  const body = { contact_id: 'contact-of-a-plain-conversation' };
  await call(nora, createConversation, { body });
  await call(nora, createConversation, { body: { ...body, distinct: true } });
}
