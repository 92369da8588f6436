import { describe, expect, test } from '@jest/globals';
import { newConversationId } from '../../../../../shared/ids.ts';
import {
  type MessageItem,
  newMessage,
} from '../../../../../shared/table/messages/log/message-item.ts';
import {
  getMaxMarkable,
  isUnreadBy,
} from '../../../../../shared/table/messages/write/mark-read.ts';

const conversationId = newConversationId(1);

const message = (sequence: number, more: Partial<MessageItem> = {}): MessageItem => ({
  ...newMessage(
    { conversationId, sequence, sentAt: 1 },
    'ann',
    { message: 'hello', attachments: [] },
    0,
  ),
  ...more,
});

describe('A message is new', () => {
  test.each([
    ['to whom it was sent', 'bob', {}, true],
    ['to nobody any more, once somebody has read it', 'bob', { read_at: 5 }, false],
    ['not to its sender', 'ann', {}, false],
  ])('%s', (_, reader, more, expected) => {
    expect(isUnreadBy(reader, message(1, more))).toBe(expected);
  });
});

describe('So many messages may be marked at once', () => {
  /** Marking one costs so many write units. */
  const ofUnits = (units: number, bytesMore = 0, more: Partial<MessageItem> = {}) =>
    message(1, { message: 'x'.repeat((units - 1) * 1024 + bytesMore), ...more });
  const times = (count: number, one: MessageItem) => Array.from({ length: count }, () => one);

  test.each([
    ['none of none', [], 0],
    ['all that cost a thousand write units', times(100, ofUnits(10)), 100],
    ['those of more that cost a thousand', times(101, ofUnits(10)), 100],
    ['fewer where each is a byte larger', times(101, ofUnits(10, 1)), 90],
    ['one, whatever it costs', [ofUnits(1001), ofUnits(1)], 1],
    ['any number that were read already', times(101, ofUnits(10, 0, { read_at: 5 })), 101],
    ['any number of one’s own', times(101, ofUnits(10, 0, { sent_by: 'bob' })), 101],
  ])('%s', (_, messages, expected) => {
    expect(getMaxMarkable('bob', messages)).toBe(expected);
  });
});
