import { describe, expect, jest, test } from '@jest/globals';
import { toSeconds } from '../../shared/clock.ts';
import {
  createConversation,
  deleteConversation,
  listConversations,
  listMessages,
  retrieveConversation,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { newConversationId } from '../../shared/ids.ts';
import {
  ann,
  bob,
  carl,
  createCheckerFixture,
  errorFor,
  success,
} from './checker/checker-fixture.ts';
import { walkConversations } from './workload/walk-conversations.ts';

describe('the soak checker reports', () => {
  test('a deleted conversation that can still be retrieved or deleted', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    const deletion = success(deleteConversation, { id: conversation.id, deleted: true });
    record(bob, deleteConversation, at, deletion);
    record(ann, retrieveConversation, at, errorFor('not_found'));
    expect(violations).toEqual([]);
    record(ann, retrieveConversation, at, success(retrieveConversation, conversation));
    record(ann, deleteConversation, at, deletion);
    expect(violations).toEqual(Array(2).fill('404, as the resource was deleted before'));
  });

  test('a successful send to a deleted conversation', () => {
    const { record, sent, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    const deletion = success(deleteConversation, { id: conversation.id, deleted: true });
    record(bob, deleteConversation, at, deletion);
    sent(ann);
    expect(violations).toEqual(['404, as the resource was deleted before']);
  });

  test('a conversation shown to a non-member', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    record(carl, retrieveConversation, at, success(retrieveConversation, conversation));
    expect(violations).toContain('404, as carl is not a participant');
  });

  test('a list that shows the old value of a changed setting', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    const muted = { ...conversation, is_muted: true };
    const change = { ...at, body: { is_muted: true } };
    record(ann, updateConversation, change, success(updateConversation, muted));
    const page = { has_more: false, data: [conversation] };
    record(ann, listConversations, {}, success(listConversations, page));
    expect(violations).toEqual(['is_muted true, as it was last set']);
  });

  test.each([
    [0, 1],
    [1, 0],
    [2, 1],
  ])(
    'unread_count %i after one new message from the other participant: %i violations',
    (unread_count, wrong) => {
      const { record, sent, listing, page, conversation, violations } = createCheckerFixture();
      const first = sent(bob);
      listing(ann)(page([{ ...first, read_at: toSeconds(Date.now()) }]));
      sent(bob);
      sent(ann);
      const at = { path: { conversation_id: conversation.id } };
      record(
        ann,
        retrieveConversation,
        at,
        success(retrieveConversation, { ...conversation, unread_count }),
      );
      const counts = violations.filter((one) => one.startsWith('unread_count'));
      expect(counts).toHaveLength(wrong);
    },
  );

  test("a second conversation, or another pair's conversation, in reply to a request for the distinct conversation", () => {
    const { record, conversation, violations } = createCheckerFixture();
    const { id, created_at } = conversation;
    const request = { body: { contact_id: 'ann', distinct: true } };
    const found = {
      ...success(createConversation, { ...conversation, contact_id: 'ann' }),
      status: 200,
    };
    record(bob, createConversation, request, found);
    expect(violations).toEqual([]);
    const second = { ...conversation, id: newConversationId(created_at * 1000), contact_id: 'ann' };
    record(bob, createConversation, request, success(createConversation, second));
    expect(violations).toEqual([`the conversation ${id}, which the pair already has`]);
    record(carl, createConversation, request, found);
    expect(violations.slice(1)).toContain('a direct conversation with the contact');
  });

  test.each([
    ['a muted conversation', { 'exclude[0]': 'muted' }],
    ['an archived conversation', { 'exclude[0]': 'muted', 'exclude[1]': 'archived' }],
    ['a conversation with another contact', { contact_id: 'carl' }],
  ])('%s on a page whose filters exclude it', (_, query) => {
    const { record, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    const change = { ...at, body: { is_muted: true, archived_at: 5 } };
    const shown = { ...conversation, is_muted: true, archived_at: 5 };
    record(ann, updateConversation, change, success(updateConversation, shown));
    const page = success(listConversations, { has_more: false, data: [shown] });
    record(ann, listConversations, { query }, page);
    expect(violations).toEqual(['only matching conversations']);
  });

  test.each([
    [1, { 'exclude[0]': 'muted' }],
    [1, { contact_id: 'bob' }],
    [0, { 'exclude[0]': 'archived' }],
    [0, { contact_id: 'carl' }],
    [0, { contact_id: 'bob', group_id: 'team' }],
  ])(
    '%i missing conversations if a list with the query %j omits an archived conversation with bob',
    async (missing, query) => {
      const { record, begin, model, conversation, violations } = createCheckerFixture();
      const at = { path: { conversation_id: conversation.id } };
      const archived = { ...conversation, archived_at: 5 };
      const change = { ...at, body: { archived_at: 5 } };
      record(ann, updateConversation, change, success(updateConversation, archived));
      const sendRequest = async () =>
        begin(ann, listConversations, {
          query,
        })(success(listConversations, { has_more: false, data: [] }));
      await walkConversations({ sendRequest, model }, ann, query, '10');
      expect(violations).toHaveLength(missing);
    },
  );

  test('a message counted or shown as unread after the reader marked it as read', () => {
    const { record, sent, listing, page, conversation, violations } = createCheckerFixture();
    const [first, second, third] = [sent(bob), sent(bob), sent(bob)];
    const last_opened_at = toSeconds(Date.now());
    const opened = { ...conversation, last_active_at: third.created_at, last_opened_at };
    const at = { path: { conversation_id: conversation.id } };
    const update = { ...at, body: { last_read_message_id: second.id } };
    record(ann, updateConversation, update, success(updateConversation, opened));
    const retrieve = (unread_count: number) =>
      record(
        ann,
        retrieveConversation,
        at,
        success(retrieveConversation, { ...opened, unread_count }),
      );
    retrieve(1);
    const read_at = last_opened_at;
    listing(bob)(page([{ ...first, read_at }, { ...second, read_at }, third]));
    expect(violations).toEqual([]);
    retrieve(3);
    expect(violations).toHaveLength(1);
    listing(bob)(page([first, { ...second, read_at }, third]));
    expect(violations.slice(1)).toEqual([`read_at ${read_at}`]);
  });

  test('a message without read_at after the reader marked it as read', () => {
    const { record, sent, listing, page, conversation, violations } = createCheckerFixture();
    const message = sent(bob);
    const at = { path: { conversation_id: conversation.id } };
    const update = { ...at, body: { last_read_message_id: message.id } };
    const last_opened_at = toSeconds(Date.now());
    const opened = { ...conversation, last_active_at: message.created_at, last_opened_at };
    record(ann, updateConversation, update, success(updateConversation, opened));
    listing(bob)(page([message]));
    expect(violations).toEqual(['read_at of the first read']);
  });

  test('a read_at on a message that the recipient only peeked at', () => {
    const { sent, listing, page, violations } = createCheckerFixture();
    const message = sent(bob);
    const peeking = listing(ann, { peek: 'true' });
    peeking(page([message]));
    expect(violations).toEqual([]);
    listing(ann, { peek: 'true' })(page([{ ...message, read_at: toSeconds(Date.now()) }]));
    expect(violations).toHaveLength(1);
  });

  test('a conversation that no page of the list contains', async () => {
    const { begin, model, violations } = createCheckerFixture();
    const sendRequest = async () =>
      begin(ann, listConversations, {})(success(listConversations, { has_more: false, data: [] }));
    await walkConversations({ sendRequest, model }, ann, {}, '10');
    expect(violations).toEqual([expect.stringMatching(/^the conversation \w+ as well$/)]);
  });

  test('a body, header or error code that breaks the contract', () => {
    const { record, conversation, violations } = createCheckerFixture();
    const at = { path: { conversation_id: conversation.id } };
    const reply = success(retrieveConversation, { ...conversation, secret: 1 }, { ETag: '' });
    record(ann, retrieveConversation, at, reply);
    record(ann, retrieveConversation, at, errorFor('not_allowed'));
    expect(violations).toEqual([
      expect.stringContaining('a body that matches the contract: secret'),
      'ETag if and only if the operation has one',
      expect.stringContaining('a code of the operation'),
    ]);
  });

  test('an internal error or a timeout, but not an overload error', () => {
    const { record, violations } = createCheckerFixture();
    record(ann, listMessages, {}, errorFor('unavailable'));
    expect(violations).toEqual([]);
    record(ann, listMessages, {}, errorFor('internal_error'));
    record(ann, listMessages, {}, errorFor('timeout'));
    expect(violations).toEqual(Array(2).fill('no service failure'));
  });

  test('an internal error in all cases, and a timeout unless the machine is overloaded', () => {
    const late = (isStarved: boolean) => {
      const { begin, violations } = createCheckerFixture(() => isStarved);
      jest.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValueOnce(10_000);
      begin(ann, listMessages, {})(errorFor('timeout'));
      return violations;
    };
    expect(late(true)).toEqual([]);
    expect(late(false)).toEqual(['no service failure']);
    const { record, violations } = createCheckerFixture(() => true);
    record(ann, listMessages, {}, errorFor('internal_error'));
    expect(violations).toEqual(['no service failure']);
  });
});
