import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createConversation,
  createGroup,
  deleteGroup,
  listGroupMembers,
  listGroups,
  listMessages,
  putGroupMember,
  removeGroupMember,
  retrieveGroup,
  retrieveSettings,
  sendMessage,
  updateGroup,
  updateSettings,
} from '../../shared/contract/operations.ts';
import { call, getError, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

describe('Ann creates a group', () => {
  test('and its members write in it, follow its changes, and lose access when they leave', async () => {
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

    const left = { ...path, contact_id: bob.id };
    expect(await call(bob, removeGroupMember, { path: left })).toEqual({
      id: bob.id,
      deleted: true,
    });
    const gone = await send(bob, retrieveGroup, { path });
    expect(await getError(retrieveGroup, gone)).toEqual({ code: 'not_found', param: 'group_id' });
    const unread = await send(bob, listMessages, { query: { conversation_id } });
    expect(await getError(listMessages, unread)).toMatchObject({ code: 'not_found' });

    const leaving = await send(ann, removeGroupMember, { path: { ...path, contact_id: ann.id } });
    expect(await getError(removeGroupMember, leaving)).toMatchObject({ code: 'last_owner' });
    expect(await call(ann, deleteGroup, { path })).toEqual({ id: group.id, deleted: true });
    const deleted = await send(carol, retrieveGroup, { path });
    expect(await getError(retrieveGroup, deleted)).toMatchObject({ code: 'not_found' });
  });

  test('and may be added by a contact if they accept groups from contacts', async () => {
    await call(carol, updateSettings, { body: { accept_groups_from: 'contacts' } });
    expect(await call(carol, retrieveSettings)).toMatchObject({ accept_groups_from: 'contacts' });
    // Bob and Carol have no group of their tokens in common.
    await call(carol, createConversation, { body: { contact_id: bob.id } });
    await eventually(async () => {
      const body = { title: 'Two', members: [carol.id] };
      const group = await call(bob, createGroup, { body });
      expect(group.member_count).toBe(2);
      await call(bob, deleteGroup, { path: { group_id: group.id } });
    });
    await call(carol, updateSettings, { body: { accept_groups_from: 'everyone' } });
  });
});
