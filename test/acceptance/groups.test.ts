import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createConversation,
  createGroup,
  deleteConversation,
  deleteGroup,
  deleteMessage,
  listConversations,
  listGroupMembers,
  listGroups,
  listMessages,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  retrieveLive,
  retrieveSettings,
  sendMessage,
  updateConversation,
  updateGroup,
  updateMessage,
  updateSettings,
} from '../../shared/contract/operations.ts';
import { connectListener } from '../support/processes/push-listener.ts';
import { call, getError, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

describe('A group that a user creates', () => {
  test('can be used by its members, until they leave or the owner deletes the group', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'Lunch club', members: [bob.id] };
    const group = await call(ann, createGroup, { body, headers });
    expect(group).toMatchObject({ title: 'Lunch club', created_by: ann.id, member_count: 2 });
    expect(await call(ann, createGroup, { body, headers })).toEqual(group);
    const path = { group_id: group.id };

    const { id: conversation_id } = await call(bob, createConversation, {
      body: { group_id: group.id },
    });
    const sent = await call(ann, sendMessage, { body: { conversation_id, message: 'Hello' } });

    const change = { path, body: { title: 'Friday lunch' } };
    const refusal = await send(bob, updateGroup, change);
    expect(await getError(updateGroup, refusal)).toMatchObject({ code: 'not_allowed' });
    const { headers: tag } = await send(ann, retrieveGroup, { path });
    const renamed = await send(ann, updateGroup, {
      ...change,
      headers: { 'If-Match': tag.get('ETag') ?? '' },
    });
    expect(renamed.status).toBe(200);
    expect(await call(bob, retrieveGroup, { path })).toMatchObject({ title: 'Friday lunch' });
    expect((await call(bob, listGroups)).data[0]).toMatchObject({ id: group.id });

    const memberPath = { ...path, contact_id: carol.id };
    const added = await send(ann, putGroupMember, { path: memberPath, body: {} });
    expect(added.status).toBe(201);
    const promoted = await send(ann, putGroupMember, { path: memberPath, body: { role: 'admin' } });
    expect(promoted.status).toBe(200);
    const { data: seen } = await call(carol, listMessages, { query: { conversation_id } });
    expect(seen.map(({ id }) => id)).toEqual([sent.id]);
    await eventually(async () => {
      const { data } = await call(carol, listGroupMembers, { path });
      expect(data.map(({ contact_id, role }) => [contact_id, role])).toEqual(
        expect.arrayContaining([
          [ann.id, 'owner'],
          [bob.id, 'member'],
          [carol.id, 'admin'],
        ]),
      );
    });
    const next = { path, query: { starting_after: carol.id } };
    expect((await call(carol, listGroupMembers, next)).data).toEqual([]);

    await useConversation(group.id, conversation_id);
    const bobsPath = { ...path, contact_id: bob.id };
    expect(await call(bob, removeGroupMember, { path: bobsPath })).toEqual({
      id: bob.id,
      deleted: true,
    });
    const refusedRead = await send(bob, retrieveGroup, { path });
    expect(await getError(retrieveGroup, refusedRead)).toEqual({
      code: 'not_found',
      param: 'group_id',
    });
    const unread = await send(bob, listMessages, { query: { conversation_id } });
    expect(await getError(listMessages, unread)).toMatchObject({ code: 'not_found' });

    const leaving = await send(ann, removeGroupMember, { path: { ...path, contact_id: ann.id } });
    expect(await getError(removeGroupMember, leaving)).toMatchObject({ code: 'last_owner' });
    expect(await call(ann, deleteGroup, { path })).toEqual({ id: group.id, deleted: true });
    const deleted = await send(carol, retrieveGroup, { path });
    expect(await getError(retrieveGroup, deleted)).toMatchObject({ code: 'not_found' });
  });
});

test('A user who accepts groups only from contacts can be added to a group by a contact', async () => {
  await call(carol, updateSettings, { body: { accept_groups_from: 'contacts' } });
  expect(await call(carol, retrieveSettings)).toMatchObject({ accept_groups_from: 'contacts' });
  // Makes Bob and Carol contacts, because their tokens have no group in common.
  await call(carol, createConversation, { body: { contact_id: bob.id } });
  await eventually(async () => {
    const body = { title: 'Two', members: [carol.id] };
    const group = await call(bob, createGroup, { body });
    expect(group.member_count).toBe(2);
    await call(bob, deleteGroup, { path: { group_id: group.id } });
  });
  await call(carol, updateSettings, { body: { accept_groups_from: 'everyone' } });
});

async function useConversation(group_id: string, conversation_id: string): Promise<void> {
  const path = { conversation_id };
  const { data } = await call(carol, listConversations, { query: { group_id } });
  expect(data.map(({ id }) => id)).toEqual([conversation_id]);
  const body = { is_muted: true };
  expect(await call(carol, updateConversation, { path, body })).toMatchObject(body);
  const sent = await call(carol, sendMessage, { body: { conversation_id, message: 'Soon' } });
  const messagePath = { message_id: sent.id };
  const edited = { path: messagePath, body: { message: 'At noon' } };
  expect(await call(carol, updateMessage, edited)).toMatchObject({ message: 'At noon' });
  await call(carol, deleteMessage, { path: messagePath });
  await listenToGroup(group_id, conversation_id);
  const { id } = await call(carol, createConversation, { body: { group_id } });
  await call(ann, deleteConversation, { path: { conversation_id: id } });
}

async function listenToGroup(group_id: string, conversation_id: string): Promise<void> {
  const { url, host, channels } = await call(carol, retrieveLive);
  const received: unknown[] = [];
  const listener = await connectListener({ url, host }, carol.token, (one) => received.push(one));
  try {
    listener.send({ type: 'connection_init' });
    await listener.waitForFrame('connection_ack');
    // Near the end of an hour, the group has a second channel for the next hour.
    for (const [n, one] of channels.entries()) {
      if (one.group_id === group_id) await listener.subscribe(`group-${n}`, one.name);
    }
    const { id } = await call(ann, sendMessage, { body: { conversation_id, message: 'Here' } });
    await eventually(async () => expect(JSON.stringify(received)).toContain(id));
  } finally {
    listener.close();
  }
}
