import { describe, expect, test } from '@jest/globals';
import { deleteConversation, retrieveContact } from '../../shared/contract/operations.ts';
import type { Contact } from '../../shared/contract/resources/contact.ts';
import { errorReply } from '../response-invariants/sample-replies.ts';
import { ann, bob, carl, createCheckerFixture, success } from './checker/checker-fixture.ts';

const contactOf = ({ id, username }: Pick<Contact, 'id' | 'username'>) =>
  success(retrieveContact, {
    ...{ id, username, phone_number: null, avatar_url: null },
    ...{ last_active_at: null, created_at: null },
  });
const path = (contact_id: string) => ({ path: { contact_id } });
const notFound = errorReply('not_found', 'contact_id');

describe('the soak checker reports', () => {
  test('nothing if only the contact and participants of a shared conversation can retrieve the contact', () => {
    const { record, violations } = createCheckerFixture();
    record(ann, retrieveContact, path('bob'), contactOf(bob));
    record(carl, retrieveContact, path('bob'), notFound);
    record(carl, retrieveContact, path('carl'), contactOf({ id: 'carl', username: null }));
    expect(violations).toEqual([]);
  });

  test('a contact shown to a caller without a shared conversation', () => {
    const { record, violations } = createCheckerFixture();
    record(carl, retrieveContact, path('bob'), contactOf(bob));
    expect(violations).toEqual(['404, as caller and contact share no conversation']);
  });

  test('a contact shown after the deletion of the only shared conversation', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const deletion = success(deleteConversation, { id: conversation.id, deleted: true });
    record(bob, deleteConversation, { path: { conversation_id: conversation.id } }, deletion);
    record(ann, retrieveContact, path('bob'), contactOf(bob));
    expect(violations).toEqual(['404, as caller and contact share no conversation']);
  });

  test('404 for the caller, or for a contact who shares a conversation with the caller', () => {
    const { record, violations } = createCheckerFixture();
    record(bob, retrieveContact, path('ann'), notFound);
    record(carl, retrieveContact, path('carl'), notFound);
    expect(violations).toEqual([
      '200, as caller and contact share a conversation',
      '200, as the contact is the caller',
    ]);
  });

  test("a contact with another person's id or username", () => {
    const { record, violations } = createCheckerFixture();
    record(ann, retrieveContact, path('bob'), contactOf(carl));
    record(ann, retrieveContact, path('bob'), contactOf({ id: 'bob', username: 'CARL' }));
    expect(violations).toEqual(Array(2).fill('the contact bob'));
  });
});
