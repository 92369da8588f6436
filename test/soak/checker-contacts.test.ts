import { describe, expect, test } from '@jest/globals';
import {
  createGroup,
  deleteConversation,
  deleteGroup,
  retrieveContact,
} from '../../shared/contract/operations.ts';
import type { Contact } from '../../shared/contract/resources/contact.ts';
import { newGroupId } from '../../shared/ids.ts';
import { errorReply } from '../response-invariants/sample-replies.ts';
import {
  ann,
  bob,
  carl,
  createCheckerFixture,
  errorFor,
  success,
} from './checker/checker-fixture.ts';

const contactOf = ({ id, username }: Pick<Contact, 'id' | 'username'>) =>
  success(retrieveContact, {
    ...{ id, username, phone_number: null, avatar_url: null },
    ...{ last_active_at: null, created_at: null },
  });
const pathTo = (contact_id: string) => ({ path: { contact_id } });
const unrelated = '404, as caller and contact share neither a conversation nor a user group';
const notFound = errorReply('not_found', 'contact_id');

describe('the soak checker reports', () => {
  test('nothing if only the contact and participants of a shared conversation can retrieve the contact', () => {
    const { record, violations } = createCheckerFixture();
    record(ann, retrieveContact, pathTo('bob'), contactOf(bob));
    record(carl, retrieveContact, pathTo('bob'), notFound);
    record(carl, retrieveContact, pathTo('carl'), contactOf({ id: 'carl', username: null }));
    expect(violations).toEqual([]);
  });

  test('a contact shown to a caller who shares no conversation with the contact', () => {
    const { record, violations } = createCheckerFixture();
    record(carl, retrieveContact, pathTo('bob'), contactOf(bob));
    expect(violations).toEqual([unrelated]);
  });

  test('a contact shown after the deletion of the only shared conversation', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const deletion = success(deleteConversation, { id: conversation.id, deleted: true });
    record(bob, deleteConversation, { path: { conversation_id: conversation.id } }, deletion);
    record(ann, retrieveContact, pathTo('bob'), contactOf(bob));
    expect(violations).toEqual([unrelated]);
  });

  test('a contact shown after, but not before, the deletion of the only shared user group', () => {
    const { record, violations } = createCheckerFixture();
    const path = { group_id: newGroupId(Date.now()) };
    const group = {
      ...{ id: path.group_id, title: 'Lunch', avatar_url: null, created_by: 'ann' },
      ...{ member_count: 2, created_at: 1, updated_at: 1 },
    };
    const body = { title: 'Lunch', members: ['carl'] };
    record(ann, createGroup, { body }, success(createGroup, group));
    record(ann, retrieveContact, pathTo('carl'), contactOf(carl));
    expect(violations).toEqual([]);
    record(ann, deleteGroup, { path }, success(deleteGroup, { id: path.group_id, deleted: true }));
    record(ann, retrieveContact, pathTo('carl'), contactOf(carl));
    expect(violations).toEqual([unrelated]);
  });

  test('nothing if the contact may be in a user group whose creation has an unknown outcome', () => {
    const { record, violations } = createCheckerFixture();
    const body = { title: 'Lunch', members: ['carl'] };
    record(ann, createGroup, { body }, errorFor('unavailable'));
    record(carl, retrieveContact, pathTo('ann'), contactOf(ann));
    expect(violations).toEqual([]);
    record(carl, retrieveContact, pathTo('bob'), contactOf(bob));
    expect(violations).toEqual([unrelated]);
  });

  test('404 if the contact is the caller or shares a conversation with the caller', () => {
    const { record, violations } = createCheckerFixture();
    record(bob, retrieveContact, pathTo('ann'), notFound);
    record(carl, retrieveContact, pathTo('carl'), notFound);
    expect(violations).toEqual([
      '200, as caller and contact share a conversation',
      '200, as the contact is the caller',
    ]);
  });

  test("a contact with another person's id or username", () => {
    const { record, violations } = createCheckerFixture();
    record(ann, retrieveContact, pathTo('bob'), contactOf(carl));
    record(ann, retrieveContact, pathTo('bob'), contactOf({ id: 'bob', username: 'CARL' }));
    expect(violations).toEqual(Array(2).fill('the contact bob'));
  });
});
