import { describe, expect, test } from '@jest/globals';
import { newConversationId } from '../../../../shared/ids.ts';
import {
  activeBusinesses,
  businessKey,
  contactInbox,
  contactKey,
  conversationKey,
  flaggedPartition,
  groupInbox,
  idempotencyRecordKey,
  maxSequence,
  messageKey,
  namedPartition,
  namedSort,
  pairPartition,
  parseConversationPartition,
  purgePartition,
  purgePartitions,
  settingsKey,
  toActivitySortKey,
} from '../../../../shared/table/keys/keys.ts';

/** What is stored under a key is lost to code that makes another one. */
describe('The key of', () => {
  test.each([
    ['a conversation', conversationKey('01'), { pk: 'CONVERSATION#01', sk: 'CONVERSATION' }],
    ['settings', settingsKey('01', 'ann'), { pk: 'CONVERSATION#01', sk: 'SETTINGS#ann' }],
    ['a message', messageKey('01', 42), { pk: 'CONVERSATION#01', sk: 'MESSAGE#000000000042' }],
    [
      'the place after all messages',
      messageKey('01', maxSequence),
      { pk: 'CONVERSATION#01', sk: 'MESSAGE#999999999999' },
    ],
    ['a contact', contactKey('ann'), { pk: 'CONTACT#ann', sk: 'CONTACT' }],
    [
      'a record of idempotency',
      idempotencyRecordKey('ann', 'messages/send', 'hash'),
      { pk: 'CONTACT#ann', sk: 'IDEMPOTENCY#messages/send#hash' },
    ],
    ['a business', businessKey('cafe'), { pk: 'BUSINESS', sk: 'BUSINESS#cafe' }],
    ['the inbox of a contact', contactInbox('ann'), 'INBOX#CONTACT#ann'],
    ['the inbox of a group', groupInbox('team'), 'INBOX#GROUP#team'],
    ['some activity', toActivitySortKey(5, '01'), '000000000000005#01'],
    ['the active businesses', activeBusinesses, 'BUSINESS#ACTIVE'],
    [
      'conversations that somebody has pinned',
      flaggedPartition('ann', { muted: false, archived: false, pinned: true }),
      'FLAGGED#ann#001',
    ],
    [
      'conversations that somebody has muted and archived',
      flaggedPartition('ann', { muted: true, archived: true, pinned: false }),
      'FLAGGED#ann#110',
    ],
    ['conversations of two contacts', pairPartition('bob', 'ann'), 'PAIR#ann#bob'],
    ['the same, told the other way round', pairPartition('ann', 'bob'), 'PAIR#ann#bob'],
    ['conversations with oneself', pairPartition('ann', 'ann'), 'PAIR#ann#ann'],
    ['conversations of groups that name somebody', namedPartition('ann'), 'NAMED#ann'],
    ['one of them', namedSort('team', '01'), 'team#01'],
    ['those of one group', namedSort('team'), 'team#'],
    ['a conversation to be purged', purgePartition('01Z'), 'PURGE#Z'],
  ])('%s stays what it is', (_, key, expected) => {
    expect(key).toEqual(expected);
  });
});

test('Each conversation that is to be purged is in one of the partitions that are looked through', () => {
  expect(purgePartitions).toHaveLength(32);
  for (let n = 0; n < 100; n++) {
    expect(purgePartitions).toContain(purgePartition(newConversationId(n)));
  }
});

test('An item tells whose conversation it is part of', () => {
  expect(parseConversationPartition(messageKey('01', 1))).toBe('01');
  expect(parseConversationPartition(contactKey('CONVERSATION'))).toBeUndefined();
  expect(parseConversationPartition({ pk: 'X#CONVERSATION#01' })).toBeUndefined();
});
