import { describe, expect, test } from '@jest/globals';
import { checkHistory } from './check-history.ts';
import type { Operation } from './history.ts';
import {
  blocks,
  by,
  counts,
  deletes,
  deletesConversation,
  getsConversationNotFound,
  getsMessageNotFound,
  hasReadUpTo,
  isRefusedToSend,
  lists,
  listsNothingAfterDelete,
  peeks,
  retrieves,
  sends,
  sendsWithKey,
  unblocks,
} from './operation-builders.ts';

type Scenario = [title: string, history: Operation[]];

const fine: Scenario[] = [
  ['an empty history', []],
  [
    'two sequential sends, then a list of both messages',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5])],
  ],
  [
    'two concurrent sends, if the later request gets the lower sequence number',
    [sends(2, [0, 9]), sends(1, [1, 8]), lists([2, 1], [10, 11])],
  ],
  [
    'a list with a message whose send has not returned',
    [sends(1, [0, 9]), lists([1], [1, 2]), retrieves(1, [3, 4])],
  ],
  ['a list without a message whose send has not returned', [sends(1, [0, 9]), lists([], [1, 2])]],
  [
    'a message listed although its send got no reply',
    [sends(1, [0]), lists([], [1, 2]), lists([1], [30, 31])],
  ],
  ['a message never listed if its send got no reply', [sends(1, [0]), lists([], [9, 10])]],
  [
    'has_more: true because of a message that no reply contains',
    [sends(1, [0]), sends(2, [1, 2]), lists([2, '…'], [3, 4], { limit: 1 })],
  ],
  [
    'a deletion visible to one list, but not to an earlier, slower list',
    [sends(1, [0, 1]), deletes(1, [2, 9]), lists([1], [3, 8]), lists([], [4, 5])],
  ],
  [
    'a deletion that takes effect long after its client timed out',
    [sends(1, [0, 1]), deletes(1, [2]), retrieves(1, [20, 21]), getsMessageNotFound(1, [30, 31])],
  ],
  [
    'pages on both sides of a cursor whose message was deleted',
    [
      ...[1, 2, 3, 4, 5].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      deletes(3, [10, 11]),
      lists([2, '…'], [12, 13], { limit: 1, after: 3 }),
      lists([5, 4], [14, 15], { limit: 2, before: 3 }),
      lists([4, '…'], [16, 17], { limit: 1, before: 3 }),
    ],
  ],
  [
    'a list that contains a concurrently deleted message, but omits one deleted later',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 2], [10, 19]),
      deletes(3, [11, 12]),
      deletes(1, [13, 14]),
    ],
  ],
  [
    "two concurrent sends with one key, if one replays the other's reply",
    [sendsWithKey(1, [0, 9], true), sendsWithKey(1, [1, 8]), lists([1], [10, 11])],
  ],
  [
    'replays of a key after the deletion of its message and of the conversation',
    [
      sendsWithKey(1, [0, 1]),
      deletes(1, [2, 3]),
      sendsWithKey(1, [4, 5], true),
      deletesConversation([6, 7]),
      sendsWithKey(1, [8, 9], true),
    ],
  ],
  [
    'a send in flight during the deletion of its conversation, and a duplicate that gets 404 before the send returns',
    [sendsWithKey(1, [0, 9]), deletesConversation([1, 2]), getsConversationNotFound(1, [3, 4])],
  ],
  [
    'a send stored before the deletion of its conversation, and a concurrent duplicate that gets 404',
    [
      sendsWithKey(1, [0, 9]),
      getsConversationNotFound(1, [1, 8]),
      deletesConversation([2, 3]),
      listsNothingAfterDelete([10, 11]),
    ],
  ],
  [
    "unread counts that exclude the caller's messages, deleted messages and listed messages",
    [
      sends(1, [0, 1]),
      sends(2, [2, 3]),
      counts(2, [4, 5]),
      counts(0, [4, 5], 'ann2'),
      deletes(1, [6, 7]),
      counts(1, [8, 9]),
      by('bob1', lists([2], [10, 11])),
      counts(0, [12, 13]),
      sends(3, [14, 15]),
      counts(1, [16, 17]),
    ],
  ],
  [
    "an unread count unchanged by a peek, and lowered by another device's read position",
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      peeks([3, 2, 1], [4, 5]),
      counts(3, [6, 7]),
      hasReadUpTo(2, [8, 9]),
      counts(1, [10, 11]),
      hasReadUpTo(1, [12, 13]),
      counts(1, [14, 15]),
    ],
  ],
  [
    'an unread count that omits a message in flight below a stored message',
    [sends(1, [0, 9]), sends(2, [1, 2]), counts(1, [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'unread counts before and after a concurrent list takes effect, and a count after a list without a reply',
    [
      sends(1, [0, 1]),
      by('bob1', lists([1], [2, 9])),
      counts(1, [3, 4]),
      counts(0, [5, 6]),
      sends(2, [10, 11]),
      by('bob1', lists([], [12])),
      counts(0, [13, 14]),
    ],
  ],
  [
    'a send before a block, a refused send during the block request, and a send after the unblock',
    [
      sends(1, [0, 1]),
      blocks([2, 9]),
      isRefusedToSend(2, [3, 4]),
      lists([1], [10, 11]),
      unblocks([12, 13]),
      sends(3, [14, 15]),
    ],
  ],
  [
    'a message deletion that starts before a block and takes effect after it',
    [sends(1, [0, 1]), deletes(1, [2, 9]), blocks([3, 4]), lists([1], [5, 6]), lists([], [10, 11])],
  ],
];

const wrong: Scenario[] = [
  ['a successful send after a block', [blocks([0, 1]), sends(1, [2, 3])]],
  [
    'a send refused after the unblock',
    [blocks([0, 1]), unblocks([2, 3]), isRefusedToSend(1, [4, 5])],
  ],
  [
    'a message missing from a list after a block, but present in a later list',
    [sends(1, [0, 9]), blocks([1, 2]), lists([], [3, 4]), lists([1], [10, 11])],
  ],
  [
    'a successful message deletion after a block',
    [sends(1, [0, 1]), blocks([2, 3]), deletes(1, [4, 5])],
  ],
  ['an unread count that is too low', [sends(1, [0, 1]), sends(2, [2, 3]), counts(1, [4, 5])]],
  [
    "an unread count that includes the caller's messages",
    [sends(1, [0, 1]), counts(1, [2, 3], 'ann2')],
  ],
  [
    'an unread count that includes a deleted message',
    [sends(1, [0, 1]), deletes(1, [2, 3]), counts(1, [4, 5])],
  ],
  [
    'an unread count that includes a listed message',
    [sends(1, [0, 1]), by('bob1', lists([1], [2, 3])), counts(1, [4, 5])],
  ],
  ['an unread count lowered by a peek', [sends(1, [0, 1]), peeks([1], [2, 3]), counts(0, [4, 5])]],
  [
    'an unread count that increases after another device sets a lower read position',
    [
      ...[1, 2].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      hasReadUpTo(2, [3, 4]),
      hasReadUpTo(1, [5, 6]),
      counts(1, [7, 8]),
    ],
  ],
  [
    'an unread count that increases during a list, without a new message',
    [sends(1, [0, 1]), by('bob1', lists([1], [2, 9])), counts(0, [3, 4]), counts(1, [5, 6])],
  ],
  [
    'an unread count of a deleted conversation',
    [sends(1, [0, 1]), deletesConversation([2, 3]), counts(1, [4, 5])],
  ],

  ['an empty list after a send', [sends(1, [0, 1]), lists([], [2, 3])]],
  [
    'a list without a message that an earlier list contained',
    [sends(1, [0, 9]), lists([1], [1, 2]), lists([], [3, 4])],
  ],
  ['a message not found after it was sent', [sends(1, [0, 1]), getsMessageNotFound(1, [2, 3])]],
  [
    'a message missing between two listed messages',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 1], [4, 5]),
    ],
  ],
  [
    'a list that contains only the second of two sent messages',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2], [4, 5])],
  ],
  [
    'two sequential sends, if the first gets the higher sequence number',
    [sends(2, [0, 1]), sends(1, [2, 3])],
  ],
  [
    'a page with the oldest message first',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([1, 2], [4, 5])],
  ],
  [
    'two concurrent messages in different orders on two lists',
    [sends(1, [0, 9]), sends(2, [0, 9]), lists([2, 1], [10, 11]), lists([1, 2], [10, 11])],
  ],
  [
    'a message listed above a gap that another message fills later',
    [sends(1, [0, 9]), sends(2, [1, 2]), lists([2], [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'a deleted message that a list returns',
    [sends(1, [0, 1]), deletes(1, [2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message that reappears after a 404, even if its deletion got no reply',
    [sends(1, [0, 1]), deletes(1, [2]), getsMessageNotFound(1, [3, 4]), lists([1], [5, 6])],
  ],
  [
    'two successful deletions of a message',
    [sends(1, [0, 1]), deletes(1, [2, 3]), deletes(1, [4, 5])],
  ],
  [
    'a listed message that was never sent',
    [sends(1, [0, 1]), lists([1], [2, 3]), lists([2, 1], [4, 5])],
  ],
  ['a page that contains a message twice', [sends(1, [0, 1]), lists([1, 1], [2, 3])]],
  ['one text under two ids', [sends(1, [0, 1]), sends(1, [2, 3], { id: 'another', text: 'm1' })]],
  [
    'a repeated key whose reply is not a replay',
    [sendsWithKey(1, [0, 1]), sendsWithKey(1, [2, 3])],
  ],
  ['a replayed reply for a key that no other request has used', [sendsWithKey(1, [0, 1], true)]],
  [
    'a page of older messages that skips the message next to its cursor',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([1], [4, 5], { after: 3 }),
    ],
  ],
  [
    'a page of newer messages that skips the message next to its cursor',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { before: 1 }),
    ],
  ],
  [
    'a page with fewer messages than its limit although more follow',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { limit: 2 }),
    ],
  ],
  ['has_more: true on the last page', [sends(1, [0, 1]), lists([1, '…'], [2, 3], { limit: 1 })]],
  [
    'a page that includes the message of its cursor',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { after: 2 })],
  ],
  [
    'a page with more messages than its limit',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { limit: 1 })],
  ],
  [
    'a successful list of messages after the deletion of the conversation',
    [sends(1, [0, 1]), deletesConversation([2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message retrieved after the deletion of its conversation',
    [sends(1, [0, 1]), deletesConversation([2, 3]), retrieves(1, [4, 5])],
  ],
  [
    'a successful send after the deletion of the conversation',
    [deletesConversation([0, 1]), sends(1, [2, 3])],
  ],
  [
    'an empty list during the deletion of a conversation that contains a message',
    [sends(1, [0, 1]), deletesConversation([2, 9]), lists([], [3, 4])],
  ],
  [
    'two successful deletions of the conversation',
    [deletesConversation([0, 1]), deletesConversation([2, 3])],
  ],
  [
    'a repeated key that gets 404, although its first send returned before the deletion of the conversation',
    [sendsWithKey(1, [0, 1]), deletesConversation([2, 3]), getsConversationNotFound(1, [4, 5])],
  ],
  [
    'a duplicate that gets 404, although a list already contained the message',
    [
      sendsWithKey(1, [0, 9]),
      lists([1], [1, 2]),
      deletesConversation([3, 4]),
      getsConversationNotFound(1, [5, 6]),
    ],
  ],
];

describe('the history checker accepts', () => {
  test.each(fine)('%s', (_, history) => {
    expect(checkHistory(history)).toBeUndefined();
  });
});

describe('the history checker rejects', () => {
  test.each(wrong)('%s', (_, history) => {
    expect(checkHistory(history)).toBeDefined();
  });
});

test('a reported violation has one line per operation and marks the reply that no order explains', () => {
  const history = [lists([1], [30, 40]), sends(1, [0, 1]), deletes(1, [2, 9.25]), sends(2, [3])];
  expect(checkHistory(history)?.split('\n')).toEqual([
    'No order of these operations explains the reply marked with ✗.',
    '      0.0 –     1.0 ms  ann      sends m1                                 → sent: m1 #00000001',
    '      2.0 –     9.3 ms  ann      deletes m1                               → deleted',
    '      3.0 –       ? ms  ann      sends m2                                 → unknown (aborted)',
    '✗    30.0 –    40.0 ms  ann      lists 10                                 → [m1 #00000001]',
    'Possible messages before that reply, oldest first; deleted messages in parentheses:',
    '  (m1)',
  ]);
});
