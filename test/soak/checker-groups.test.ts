import { describe, expect, test } from '@jest/globals';
import { toSeconds } from '../../shared/clock.ts';
import {
  createConversation,
  createGroup,
  deleteGroup,
  listConversations,
  listGroups,
  putGroupMember,
  removeGroupMember,
  retrieveConversation,
} from '../../shared/contract/operations.ts';
import { newConversationId, newGroupId } from '../../shared/ids.ts';
import { ann, bob, createCheckerFixture, errorFor, success } from './checker/checker-fixture.ts';

/** Creates a checker that has observed the creation of Ann's user group and its conversation. */
function createFixture() {
  const { begin, record, conversation, violations } = createCheckerFixture();
  const at = toSeconds(Date.now());
  const group_id = newGroupId(Date.now());
  const group = {
    ...{ id: group_id, title: 'Lunch', avatar_url: null, created_by: 'ann', member_count: 1 },
    ...{ created_at: at, updated_at: at },
  };
  record(ann, createGroup, { body: { title: 'Lunch' } }, success(createGroup, group));
  const groupConversation = {
    ...conversation,
    id: newConversationId(Date.now()),
    contact_id: null,
    group_id,
  };
  record(
    ann,
    createConversation,
    { body: { group_id } },
    success(createConversation, groupConversation),
  );
  const path = { group_id, contact_id: 'bob' };
  const member = { contact_id: 'bob', role: 'member', joined_at: at } as const;
  const removed = { id: `${group_id}-bob`, deleted: true } as const;
  const target = { path: { conversation_id: groupConversation.id } };
  const page = { has_more: false, data: [groupConversation] };
  return {
    violations,
    /** Starts to add Bob. Returns the function that completes the request. */
    adding: () => {
      const end = begin(ann, putGroupMember, { path, body: {} });
      return () => end(success(putGroupMember, member));
    },
    removing: () => {
      const end = begin(ann, removeGroupMember, { path });
      return () => end(success(removeGroupMember, removed));
    },
    deletes: () =>
      record(
        ann,
        deleteGroup,
        { path: { group_id } },
        success(deleteGroup, { id: group_id, deleted: true }),
      ),
    sees: () =>
      record(bob, retrieveConversation, target, success(retrieveConversation, groupConversation)),
    isRefused: () => record(bob, retrieveConversation, target, errorFor('not_found')),
    lists: () => record(bob, listConversations, {}, success(listConversations, page)),
    listsGroups: (data: (typeof group)[]) =>
      record(bob, listGroups, {}, success(listGroups, { has_more: false, data })),
    group,
  };
}

describe('the soak checker accepts', () => {
  test('200 or 404 while a member is being added or removed, and the new status afterwards', () => {
    const { adding, removing, sees, isRefused, listsGroups, group, violations } = createFixture();
    isRefused();
    listsGroups([]);
    const added = adding();
    sees();
    isRefused();
    added();
    sees();
    listsGroups([group]);
    const removed = removing();
    sees();
    isRefused();
    removed();
    isRefused();
    listsGroups([]);
    expect(violations).toEqual([]);
  });

  test('404 for a member after the deletion of the group', () => {
    const { adding, deletes, isRefused, violations } = createFixture();
    adding()();
    deletes();
    isRefused();
    expect(violations).toEqual([]);
  });
});

describe('the soak checker reports', () => {
  test.each(['sees', 'lists'] as const)(
    'a removed member who still %s the conversation',
    (action) => {
      const { adding, removing, violations, ...fixture } = createFixture();
      adding()();
      removing()();
      fixture[action]();
      expect(violations).toEqual(['404, as bob is not a participant']);
    },
  );

  test('a removed member whose list of groups still contains the group', () => {
    const { adding, removing, listsGroups, group, violations } = createFixture();
    adding()();
    removing()();
    listsGroups([group]);
    expect(violations).toEqual([`no data of ${group.id}, as the caller is not a member`]);
  });

  test('a new member who cannot retrieve the conversation and whose list omits the group', () => {
    const { adding, isRefused, listsGroups, group, violations } = createFixture();
    adding()();
    isRefused();
    listsGroups([]);
    expect(violations).toEqual([
      'a status other than 404, because no deletion has started',
      `the group ${group.id} as well`,
    ]);
  });

  test('a member who retrieves the conversation of a deleted group', () => {
    const { adding, deletes, sees, violations } = createFixture();
    adding()();
    deletes();
    sees();
    expect(violations).toEqual(['404, as bob is not a participant']);
  });
});
