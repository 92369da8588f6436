import { describe, expect, test } from '@jest/globals';
import { newConversationId } from '../../../../../shared/ids.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../../../shared/table/conversations/items/conversation-item.ts';

const id = newConversationId(7);

describe('A conversation', () => {
  test.each<[string, object, string, ...(string | undefined)[]]>([
    [
      'between two contacts is in both inboxes, and in the index by pair of contacts',
      { contact_id: 'bob' },
      'INBOX#CONTACT#ann',
      'INBOX#CONTACT#bob',
      'PAIR#ann#bob',
    ],
    [
      'with oneself is in one inbox, and in the index by pair of contacts',
      { contact_id: 'ann' },
      'INBOX#CONTACT#ann',
      undefined,
      'PAIR#ann#ann',
    ],
    [
      'of a group is only in the group’s inbox',
      { group_id: 'team' },
      'INBOX#GROUP#team',
      undefined,
      undefined,
    ],
    [
      'of a group with a contact is in the inboxes of both, and in the index by named contact',
      { group_id: 'team', contact_id: 'bob' },
      'INBOX#GROUP#team',
      'INBOX#CONTACT#bob',
      'NAMED#bob',
      `team#${id}`,
    ],
    [
      'of a group with its creator is in the inboxes of both, and in the index by named contact',
      { group_id: 'team', contact_id: 'ann' },
      'INBOX#GROUP#team',
      'INBOX#CONTACT#ann',
      'NAMED#ann',
      `team#${id}`,
    ],
  ])('%s', (_, parties, gsi1pk, gsi2pk, gsi3pk, gsi3sk = id) => {
    expect(toStoredConversation(newConversation(id, 'ann', parties))).toEqual({
      pk: `CONVERSATION#${id}`,
      sk: 'CONVERSATION',
      id,
      created_by: 'ann',
      ...parties,
      created_at: 7,
      message_count: 0,
      activity: `000000000000007#${id}`,
      gsi1pk,
      gsi2pk,
      ...(gsi3pk && { gsi3pk, gsi3sk }),
    });
  });
});

test('A conversation with messages is sorted by the time of its last message', () => {
  const conversation = newConversation(id, 'ann', { contact_id: 'bob' });
  expect(toStoredConversation({ ...conversation, last_message_at: 9 })).toMatchObject({
    activity: `000000000000009#${id}`,
  });
});
