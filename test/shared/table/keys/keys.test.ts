import { describe, expect, test } from '@jest/globals';
import { newConversationId } from '../../../../shared/ids.ts';
import {
  activeBusinessPartition,
  businessCellKey,
  businessIndustryKey,
  businessKey,
  businessTitleKey,
} from '../../../../shared/table/keys/business-keys.ts';
import {
  contactInboxPartition,
  contactKey,
  conversationKey,
  flaggedPartition,
  groupInboxPartition,
  idempotencyRecordKey,
  maxSequence,
  messageKey,
  namedPartition,
  namedSort,
  pairPartition,
  parseConversationPartition,
  purgePartition,
  purgePartitions,
  requestCountKey,
  settingsKey,
  toActivitySortKey,
} from '../../../../shared/table/keys/keys.ts';

/** Stored items are unreachable if the code builds a different key. */
describe('The key of', () => {
  test.each([
    ['a conversation', conversationKey('01'), { pk: 'CONVERSATION#01', sk: 'CONVERSATION' }],
    [
      'a contact’s settings',
      settingsKey('01', 'ann'),
      { pk: 'CONVERSATION#01', sk: 'SETTINGS#ann' },
    ],
    ['a message', messageKey('01', 42), { pk: 'CONVERSATION#01', sk: 'MESSAGE#000000000042' }],
    [
      'the message with the highest possible sequence number',
      messageKey('01', maxSequence),
      { pk: 'CONVERSATION#01', sk: 'MESSAGE#999999999999' },
    ],
    ['a contact', contactKey('ann'), { pk: 'CONTACT#ann', sk: 'CONTACT' }],
    [
      'an idempotency record',
      idempotencyRecordKey('ann', 'messages/send', 'hash'),
      { pk: 'CONTACT#ann', sk: 'IDEMPOTENCY#messages/send#hash' },
    ],
    [
      'the request count of a person in a minute',
      requestCountKey('hash', 7),
      { pk: 'REQUESTS#hash', sk: 'MINUTE#7' },
    ],
    ['a business', businessKey('cafe'), { pk: 'BUSINESS', sk: 'BUSINESS#cafe' }],
    [
      'the industry entry of a business',
      businessIndustryKey('food', 'cafe'),
      { pk: 'BUSINESS_INDUSTRY#food', sk: 'cafe' },
    ],
    [
      'the title entry of a business',
      businessTitleKey('東京 bar', 'cafe'),
      { pk: 'BUSINESS_TITLE#東', sk: '東京 bar#cafe' },
    ],
    [
      'the cell entry of a business',
      businessCellKey('0123012', 'cafe'),
      { pk: 'BUSINESS_CELL#01230', sk: '0123012#cafe' },
    ],
    ['the inbox of a contact', contactInboxPartition('ann'), 'INBOX#CONTACT#ann'],
    ['the inbox of a group', groupInboxPartition('team'), 'INBOX#GROUP#team'],
    ['an activity time', toActivitySortKey(5, '01'), '000000000000005#01'],
    ['the active businesses', activeBusinessPartition, 'BUSINESS#ACTIVE'],
    [
      'a contact’s pinned conversations',
      flaggedPartition('ann', { muted: false, archived: false, pinned: true }),
      'FLAGGED#ann#001',
    ],
    [
      'a contact’s muted and archived conversations',
      flaggedPartition('ann', { muted: true, archived: true, pinned: false }),
      'FLAGGED#ann#110',
    ],
    ['conversations of two contacts', pairPartition('bob', 'ann'), 'PAIR#ann#bob'],
    [
      'conversations of two contacts, in the other order',
      pairPartition('ann', 'bob'),
      'PAIR#ann#bob',
    ],
    ['conversations with oneself', pairPartition('ann', 'ann'), 'PAIR#ann#ann'],
    ['group conversations that name a contact', namedPartition('ann'), 'NAMED#ann'],
    ['a group conversation that names a contact', namedSort('team', '01'), 'team#01'],
    ['one group’s conversations that name a contact', namedSort('team'), 'team#'],
    ['a conversation awaiting its purge', purgePartition('01Z'), 'PURGE#Z'],
  ])('%s does not change', (_, key, expected) => {
    expect(key).toEqual(expected);
  });
});

test('Every deleted conversation is in one of 32 purge partitions', () => {
  expect(purgePartitions).toHaveLength(32);
  for (let n = 0; n < 100; n++) {
    expect(purgePartitions).toContain(purgePartition(newConversationId(n)));
  }
});

test('A conversation’s id is parsed only from the keys of its items', () => {
  expect(parseConversationPartition(messageKey('01', 1))).toBe('01');
  expect(parseConversationPartition(contactKey('CONVERSATION'))).toBeUndefined();
  expect(parseConversationPartition({ pk: 'X#CONVERSATION#01' })).toBeUndefined();
});
