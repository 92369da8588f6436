import { describe, expect, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import {
  createConversation,
  deleteConversation,
  retrieveContact,
} from '../../../shared/contract/operations.ts';
import { newGroupId } from '../../../shared/ids.ts';
import {
  create,
  getContact,
  getMessage,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { expectNotFound } from '../../support/handlers/expect-not-found.ts';
import { notAllowedError, notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { createTrio, person } from '../../support/people/callers.ts';
import {
  addMember,
  markGroupDeleted,
  removeMember,
  seedUserGroup,
} from '../../support/seeds/memberships.ts';
import '../../support/setup/use-table.ts';

describe('Access to a conversation of a user group', () => {
  test('ends when the group is marked as deleted', async () => {
    const { cleo } = createTrio();
    const group_id = await seedUserGroup({ [cleo.id]: 'owner' });
    const { id } = await create(cleo, { group_id });
    const { id: message_id } = await send(cleo, id, 'Hello');
    await markGroupDeleted(group_id, cleo.id);
    await expectNotFound(cleo, id, message_id);
    expect(await refused(createConversation, { as: cleo, body: { group_id } })).toMatchObject({
      status: 403,
      code: 'not_allowed',
    });
  });

  test('extends to the contact whom the conversation names, even if that contact is not a member', async () => {
    const { cleo, xavier } = createTrio();
    const group_id = await seedUserGroup({ [cleo.id]: 'member', [xavier.id]: 'member' });
    const { id } = await create(cleo, { group_id, contact_id: xavier.id });
    await removeMember(group_id, xavier.id);
    const sent = await send(xavier, id, 'I am named');
    expect(await getMessage(cleo, sent.id)).toMatchObject({ message: 'I am named' });
  });
});

describe('A conversation of a user group', () => {
  const refusal = notAllowedError(
    "Only the conversation's creator and its group's owners and admins can delete it.",
  );
  test('can be deleted only by its creator and by owners and admins of the group', async () => {
    const { cleo, xavier, tina } = createTrio();
    const outsider = person('outsider');
    const members = { [cleo.id]: 'member', [tina.id]: 'member' } as const;
    for (const role of ['owner', 'admin'] as const) {
      const group_id = await seedUserGroup({ ...members, [xavier.id]: role });
      for (const ifMatch of [{}, { 'If-Match': '*' }]) {
        const attempt = async (conversation_id: string, as: typeof cleo) =>
          refused(deleteConversation, { as, path: { conversation_id }, headers: ifMatch });
        const { id } = await create(cleo, { group_id, contact_id: outsider.id });
        expect(await attempt(id, tina)).toEqual(refusal);
        expect(await attempt(id, outsider)).toEqual(refusal);
        const path = { conversation_id: id };
        const deletion = await request(deleteConversation, { as: xavier, path, headers: ifMatch });
        expect(deletion.status).toBe(200);
        expect(await attempt(id, cleo)).toEqual(notFoundError('conversation_id'));
        const own = await create(cleo, { group_id });
        await removeConversation(cleo, own.id);
      }
    }
  });

  test('can be created only by members; other callers get the same error as for an unknown group', async () => {
    const { cleo, xavier } = createTrio();
    const group_id = await seedUserGroup({ [cleo.id]: 'member' });
    const attempts = [group_id, newGroupId(clock.now())].map((one) =>
      refused(createConversation, { as: xavier, body: { group_id: one } }),
    );
    const [real, imagined] = await Promise.all(attempts);
    expect(real).toMatchObject({ status: 403, code: 'not_allowed', param: 'group_id' });
    expect(real).toEqual(imagined);
  });
});

describe('The profile of a group member', () => {
  test('is visible to another member without a shared conversation, until either member is removed', async () => {
    const { cleo, xavier, tina } = createTrio();
    await create(xavier, { contact_id: tina.id });
    const group_id = await seedUserGroup({ [cleo.id]: 'member' });
    const attempt = () => request(retrieveContact, { as: cleo, path: { contact_id: xavier.id } });
    expect((await attempt()).status).toBe(404);
    await addMember(group_id, xavier.id);
    expect(await getContact(cleo, xavier.id)).toMatchObject({ username: xavier.username });
    await removeMember(group_id, xavier.id);
    expect((await attempt()).status).toBe(404);
    await addMember(group_id, xavier.id);
    await removeMember(group_id, cleo.id);
    expect((await attempt()).status).toBe(404);
  });

  test('is visible to the contact of a group conversation, and vice versa, until the member is removed', async () => {
    const { cleo, xavier } = createTrio();
    const group_id = await seedUserGroup({ [cleo.id]: 'member' });
    await create(cleo, { group_id, contact_id: xavier.id });
    await send(xavier, (await create(xavier, { contact_id: 'nobody' })).id, 'Hi');
    expect(await getContact(xavier, cleo.id)).toMatchObject({ username: cleo.username });
    expect(await getContact(cleo, xavier.id)).toMatchObject({ username: xavier.username });
    await removeMember(group_id, cleo.id);
    for (const [as, contact_id] of [
      [xavier, cleo.id],
      [cleo, xavier.id],
    ] as const) {
      expect((await request(retrieveContact, { as, path: { contact_id } })).status).toBe(404);
    }
  });

  test('is not visible to a contact who joins the group after the member was removed', async () => {
    const { cleo, xavier, tina } = createTrio();
    const group_id = await seedUserGroup({ [cleo.id]: 'member', [xavier.id]: 'member' });
    const { id } = await create(cleo, { group_id });
    await send(xavier, id, 'Hi');
    await removeMember(group_id, xavier.id);
    await addMember(group_id, tina.id);
    expect(
      (await request(retrieveContact, { as: tina, path: { contact_id: xavier.id } })).status,
    ).toBe(404);
  });
});
