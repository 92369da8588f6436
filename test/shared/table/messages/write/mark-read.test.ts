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

describe('A message', () => {
  test.each([
    ['counts as unread for its recipient', 'bob', {}, true],
    ['counts as read after a recipient has read it', 'bob', { read_at: 5 }, false],
    ['never counts as unread for its sender', 'ann', {}, false],
    [
      'counts as unread for a recipient who read it while blocked and is no longer blocked',
      'bob',
      { hidden_read_at: 5 },
      true,
    ],
  ])('%s', (_, readerId, more, expected) => {
    expect(isUnreadBy({ readerId, isHidden: false }, message(1, more))).toBe(expected);
  });

  test('counts as read for a blocked recipient who has read it', () => {
    const hidden = message(1, { hidden_read_at: 5 });
    expect(isUnreadBy({ readerId: 'bob', isHidden: true }, hidden)).toBe(false);
  });
});

describe('A request may mark as read', () => {
  /** Returns a message that costs `units` write units to mark as read. */
  const ofUnits = (units: number, bytesMore = 0, more: Partial<MessageItem> = {}) =>
    message(1, { message: 'x'.repeat((units - 1) * 1024 + bytesMore), ...more });
  const times = (count: number, one: MessageItem) => Array.from({ length: count }, () => one);

  test.each([
    ['no message of an empty list', [], 0],
    ['all messages if they cost 1,000 write units', times(100, ofUnits(10)), 100],
    ['only as many messages as cost 1,000 write units', times(101, ofUnits(10)), 100],
    ['fewer messages if each is a byte larger', times(101, ofUnits(10, 1)), 90],
    ['at least one message, at any cost', [ofUnits(1001), ofUnits(1)], 1],
    [
      'any number of messages that are already read',
      times(101, ofUnits(10, 0, { read_at: 5 })),
      101,
    ],
    [
      'any number of the reader’s own messages',
      times(101, ofUnits(10, 0, { sent_by: 'bob' })),
      101,
    ],
  ])('%s', (_, messages, expected) => {
    expect(getMaxMarkable({ readerId: 'bob', isHidden: false }, messages)).toBe(expected);
  });
});
