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
    'sequential messages, then a list of them',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5])],
  ],
  [
    'two concurrent messages, if the later request has the lower sequence number',
    [sends(2, [0, 9]), sends(1, [1, 8]), lists([2, 1], [10, 11])],
  ],
  [
    'a list with a message whose send has not returned',
    [sends(1, [0, 9]), lists([1], [1, 2]), retrieves(1, [3, 4])],
  ],
  ['a list without a message whose send has not returned', [sends(1, [0, 9]), lists([], [1, 2])]],
  [
    'a message stored although its sender got no reply',
    [sends(1, [0]), lists([], [1, 2]), lists([1], [30, 31])],
  ],
  ['an unstored message whose sender got no reply', [sends(1, [0]), lists([], [9, 10])]],
  [
    'an unseen message that sets has_more on a page',
    [sends(1, [0]), sends(2, [1, 2]), lists([2, '…'], [3, 4], { limit: 1 })],
  ],
  [
    'a deletion visible to one list, but not to a list requested earlier',
    [sends(1, [0, 1]), deletes(1, [2, 9]), lists([1], [3, 8]), lists([], [4, 5])],
  ],
  [
    'a deletion that takes effect long after its client timed out',
    [sends(1, [0, 1]), deletes(1, [2]), retrieves(1, [20, 21]), getsMessageNotFound(1, [30, 31])],
  ],
  [
    'pages on both sides of a deleted message',
    [
      ...[1, 2, 3, 4, 5].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      deletes(3, [10, 11]),
      lists([2, '…'], [12, 13], { limit: 1, after: 3 }),
      lists([5, 4], [14, 15], { limit: 2, before: 3 }),
      lists([4, '…'], [16, 17], { limit: 1, before: 3 }),
    ],
  ],
  [
    'a list with a concurrently deleted message, but without a message deleted later',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 2], [10, 19]),
      deletes(3, [11, 12]),
      deletes(1, [13, 14]),
    ],
  ],
  [
    'concurrent duplicates with one key: the second replays the first reply',
    [sendsWithKey(1, [0, 9], true), sendsWithKey(1, [1, 8]), lists([1], [10, 11])],
  ],
  [
    'a key repeated after its message was deleted, and after the conversation was deleted',
    [
      sendsWithKey(1, [0, 1]),
      deletes(1, [2, 3]),
      sendsWithKey(1, [4, 5], true),
      deletesConversation([6, 7]),
      sendsWithKey(1, [8, 9], true),
    ],
  ],
  [
    'a send in flight while its conversation is deleted, and a duplicate refused meanwhile',
    [sendsWithKey(1, [0, 9]), deletesConversation([1, 2]), getsConversationNotFound(1, [3, 4])],
  ],
  [
    'a send accepted before its conversation is deleted, and a duplicate refused afterwards',
    [
      sendsWithKey(1, [0, 9]),
      getsConversationNotFound(1, [1, 8]),
      deletesConversation([2, 3]),
      listsNothingAfterDelete([10, 11]),
    ],
  ],
  [
    'unread counts that exclude own, deleted and listed messages',
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
    "an unread count unchanged by a peek and lowered by another device's read marker",
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
    'an unread count that omits a message in flight before a stored one',
    [sends(1, [0, 9]), sends(2, [1, 2]), counts(1, [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'an unread count concurrent with a list, and one after a list without a reply',
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
    'a send before a block, a refused send during it, and a send after the unblock',
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
    'a deletion that began before a block and is stored after it',
    [sends(1, [0, 1]), deletes(1, [2, 9]), blocks([3, 4]), lists([1], [5, 6]), lists([], [10, 11])],
  ],
];

const wrong: Scenario[] = [
  ['a send after a block', [blocks([0, 1]), sends(1, [2, 3])]],
  [
    'a send refused without a block',
    [blocks([0, 1]), unblocks([2, 3]), isRefusedToSend(1, [4, 5])],
  ],
  [
    'a message that a list after a block lacks, but a later list contains',
    [sends(1, [0, 9]), blocks([1, 2]), lists([], [3, 4]), lists([1], [10, 11])],
  ],
  ['a deletion after a block', [sends(1, [0, 1]), blocks([2, 3]), deletes(1, [4, 5])]],
  ['an unread count that is too low', [sends(1, [0, 1]), sends(2, [2, 3]), counts(1, [4, 5])]],
  ['an unread count that includes own messages', [sends(1, [0, 1]), counts(1, [2, 3], 'ann2')]],
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
    'an unread count that increases after another device reports a lower read position',
    [
      ...[1, 2].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      hasReadUpTo(2, [3, 4]),
      hasReadUpTo(1, [5, 6]),
      counts(1, [7, 8]),
    ],
  ],
  [
    'an unread count that increases after a lower one during a list',
    [sends(1, [0, 1]), by('bob1', lists([1], [2, 9])), counts(0, [3, 4]), counts(1, [5, 6])],
  ],
  [
    'an unread count of a deleted conversation',
    [sends(1, [0, 1]), deletesConversation([2, 3]), counts(1, [4, 5])],
  ],

  ['a list without a message sent before', [sends(1, [0, 1]), lists([], [2, 3])]],
  ['a list staler than an earlier list', [sends(1, [0, 9]), lists([1], [1, 2]), lists([], [3, 4])]],
  ['a message not found after it was sent', [sends(1, [0, 1]), getsMessageNotFound(1, [2, 3])]],
  [
    'a message lost between two others',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 1], [4, 5]),
    ],
  ],
  [
    'a message lost although its sender got a reply',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2], [4, 5])],
  ],
  [
    'two messages, if the first acknowledged one has the higher sequence number',
    [sends(2, [0, 1]), sends(1, [2, 3])],
  ],
  [
    'messages in the wrong order on a page',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([1, 2], [4, 5])],
  ],
  [
    'two concurrent messages in different orders on two lists',
    [sends(1, [0, 9]), sends(2, [0, 9]), lists([2, 1], [10, 11]), lists([1, 2], [10, 11])],
  ],
  [
    'a message visible above a gap that is filled later',
    [sends(1, [0, 9]), sends(2, [1, 2]), lists([2], [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'a deleted message that a list returns again',
    [sends(1, [0, 1]), deletes(1, [2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message that reappears after it was seen deleted, although its deleter got no reply',
    [sends(1, [0, 1]), deletes(1, [2]), getsMessageNotFound(1, [3, 4]), lists([1], [5, 6])],
  ],
  ['a message deleted twice', [sends(1, [0, 1]), deletes(1, [2, 3]), deletes(1, [4, 5])]],
  ['a message stored twice', [sends(1, [0, 1]), lists([1], [2, 3]), lists([2, 1], [4, 5])]],
  ['a page with one message twice', [sends(1, [0, 1]), lists([1, 1], [2, 3])]],
  ['one text under two ids', [sends(1, [0, 1]), sends(1, [2, 3], { id: 'another', text: 'm1' })]],
  ['a key that creates a message twice', [sendsWithKey(1, [0, 1]), sendsWithKey(1, [2, 3])]],
  ['a replayed reply for a key that no other request has used', [sendsWithKey(1, [0, 1], true)]],
  [
    'a page that skips a message next to its cursor, backwards in time',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([1], [4, 5], { after: 3 }),
    ],
  ],
  [
    'a page that skips a message next to its cursor, forwards in time',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { before: 1 }),
    ],
  ],
  [
    'a page that is short although more messages follow',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { limit: 2 }),
    ],
  ],
  [
    'a page with has_more at the end of the list',
    [sends(1, [0, 1]), lists([1, '…'], [2, 3], { limit: 1 })],
  ],
  [
    'a page that includes its cursor',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { after: 2 })],
  ],
  [
    'a page longer than its limit',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { limit: 1 })],
  ],
  [
    'a conversation listed after it was deleted',
    [sends(1, [0, 1]), deletesConversation([2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message retrieved after its conversation was deleted',
    [sends(1, [0, 1]), deletesConversation([2, 3]), retrieves(1, [4, 5])],
  ],
  [
    'a message sent after the conversation was deleted',
    [deletesConversation([0, 1]), sends(1, [2, 3])],
  ],
  [
    'a list that is empty while its conversation is being deleted',
    [sends(1, [0, 1]), deletesConversation([2, 9]), lists([], [3, 4])],
  ],
  ['a conversation deleted twice', [deletesConversation([0, 1]), deletesConversation([2, 3])]],
  [
    'a repeated key rejected although its message was sent before the conversation was deleted',
    [sendsWithKey(1, [0, 1]), deletesConversation([2, 3]), getsConversationNotFound(1, [4, 5])],
  ],
  [
    'a duplicate rejected although its message was seen before the sender got a reply',
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

test('a violation prints one line per operation and marks the reply that no order explains', () => {
  const history = [lists([1], [30, 40]), sends(1, [0, 1]), deletes(1, [2, 9.25]), sends(2, [3])];
  expect(checkHistory(history)?.split('\n')).toEqual([
    'No order of these operations explains the reply marked with ✗.',
    '      0.0 –     1.0 ms  ann      sends m1                                 → sent: m1 #00000001',
    '      2.0 –     9.3 ms  ann      deletes m1                               → deleted',
    '      3.0 –       ? ms  ann      sends m2                                 → unknown (aborted)',
    '✗    30.0 –    40.0 ms  ann      lists 10                                 → [m1 #00000001]',
    'Possible messages before it, oldest first, (deleted):',
    '  (m1)',
  ]);
});
