import { describe, expect, test } from '@jest/globals';
import { checkHistory } from './check-history.ts';
import type { Operation } from './history.ts';
import {
  by,
  counts,
  deletes,
  deletesConversation,
  getsConversationNotFound,
  getsMessageNotFound,
  hasReadUpTo,
  lists,
  listsNothingAfterDelete,
  peeks,
  retrieves,
  sends,
  sendsWithKey,
} from './operation-builders.ts';

type Scenario = [title: string, history: Operation[]];

const fine: Scenario[] = [
  ['nothing at all', []],
  [
    'messages one after the other, and a list of them',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5])],
  ],
  [
    'two messages at once, of which the one asked for later comes first',
    [sends(2, [0, 9]), sends(1, [1, 8]), lists([2, 1], [10, 11])],
  ],
  [
    'a list that sees a message whose sender has no answer yet',
    [sends(1, [0, 9]), lists([1], [1, 2]), retrieves(1, [3, 4])],
  ],
  ['a list that does not yet see a message on its way', [sends(1, [0, 9]), lists([], [1, 2])]],
  [
    'a message that came though its sender was never told',
    [sends(1, [0]), lists([], [1, 2]), lists([1], [30, 31])],
  ],
  ['a message that never came, as its sender was never told', [sends(1, [0]), lists([], [9, 10])]],
  [
    'a message that nobody has seen, but that made more of a page',
    [sends(1, [0]), sends(2, [1, 2]), lists([2, '…'], [3, 4], { limit: 1 })],
  ],
  [
    'a deletion that a list sees and another, asked for earlier, does not',
    [sends(1, [0, 1]), deletes(1, [2, 9]), lists([1], [3, 8]), lists([], [4, 5])],
  ],
  [
    'a deletion that takes effect long after its client gave up',
    [sends(1, [0, 1]), deletes(1, [2]), retrieves(1, [20, 21]), getsMessageNotFound(1, [30, 31])],
  ],
  [
    'pages on both sides of a message that is deleted',
    [
      ...[1, 2, 3, 4, 5].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      deletes(3, [10, 11]),
      lists([2, '…'], [12, 13], { limit: 1, after: 3 }),
      lists([5, 4], [14, 15], { limit: 2, before: 3 }),
      lists([4, '…'], [16, 17], { limit: 1, before: 3 }),
    ],
  ],
  [
    'a list that reads on while two of its messages are deleted, the one that it has read first',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 2], [10, 19]),
      deletes(3, [11, 12]),
      deletes(1, [13, 14]),
    ],
  ],
  [
    'twins with one key, of which the first has the reply of the first',
    [sendsWithKey(1, [0, 9], true), sendsWithKey(1, [1, 8]), lists([1], [10, 11])],
  ],
  [
    'a key that is repeated after its message was deleted, and after the conversation was',
    [
      sendsWithKey(1, [0, 1]),
      deletes(1, [2, 3]),
      sendsWithKey(1, [4, 5], true),
      deletesConversation([6, 7]),
      sendsWithKey(1, [8, 9], true),
    ],
  ],
  [
    'a message under way when the conversation is deleted, and a twin that begins after that and before it is answered',
    [sendsWithKey(1, [0, 9]), deletesConversation([1, 2]), getsConversationNotFound(1, [3, 4])],
  ],
  [
    'a message that is taken while the conversation is being deleted, and a twin that comes too late',
    [
      sendsWithKey(1, [0, 9]),
      getsConversationNotFound(1, [1, 8]),
      deletesConversation([2, 3]),
      listsNothingAfterDelete([10, 11]),
    ],
  ],
  [
    'numbers of what is unread: of others only, without deleted ones, above what a list has given',
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
    'a number that does not go down by a peek, and does when another device says what was read',
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
    'a number beside a message that is on its way below one that is there',
    [sends(1, [0, 9]), sends(2, [1, 2]), counts(1, [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'a number while a list is under way, and one after a list of which nobody knows the end',
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
];

const wrong: Scenario[] = [
  ['a number that is too low', [sends(1, [0, 1]), sends(2, [2, 3]), counts(1, [4, 5])]],
  ['a number with one’s own messages', [sends(1, [0, 1]), counts(1, [2, 3], 'ann2')]],
  ['a number with a deleted message', [sends(1, [0, 1]), deletes(1, [2, 3]), counts(1, [4, 5])]],
  [
    'a number with what a list has given',
    [sends(1, [0, 1]), by('bob1', lists([1], [2, 3])), counts(1, [4, 5])],
  ],
  ['a number that a peek took down', [sends(1, [0, 1]), peeks([1], [2, 3]), counts(0, [4, 5])]],
  [
    'a number that goes up again, as another device has read less',
    [
      ...[1, 2].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      hasReadUpTo(2, [3, 4]),
      hasReadUpTo(1, [5, 6]),
      counts(1, [7, 8]),
    ],
  ],
  [
    'a number that goes up again after it was seen lower, while a list was under way',
    [sends(1, [0, 1]), by('bob1', lists([1], [2, 9])), counts(0, [3, 4]), counts(1, [5, 6])],
  ],
  [
    'a number of a conversation that was deleted',
    [sends(1, [0, 1]), deletesConversation([2, 3]), counts(1, [4, 5])],
  ],

  ['a list that does not see what was sent before', [sends(1, [0, 1]), lists([], [2, 3])]],
  ['a list that is behind another one', [sends(1, [0, 9]), lists([1], [1, 2]), lists([], [3, 4])]],
  [
    'a message that is not found after it was sent',
    [sends(1, [0, 1]), getsMessageNotFound(1, [2, 3])],
  ],
  [
    'a message that is lost between two others',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3, 1], [4, 5]),
    ],
  ],
  [
    'a message that is lost though its sender was told',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2], [4, 5])],
  ],
  [
    'messages of which the one that was answered first has the higher place',
    [sends(2, [0, 1]), sends(1, [2, 3])],
  ],
  [
    'messages in the wrong order on a page',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([1, 2], [4, 5])],
  ],
  [
    'two messages at once that two lists have in different order',
    [sends(1, [0, 9]), sends(2, [0, 9]), lists([2, 1], [10, 11]), lists([1, 2], [10, 11])],
  ],
  [
    'a message that is seen above a place that is filled later',
    [sends(1, [0, 9]), sends(2, [1, 2]), lists([2], [3, 4]), lists([2, 1], [10, 11])],
  ],
  [
    'a deleted message that a list brings back',
    [sends(1, [0, 1]), deletes(1, [2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message that comes back after somebody has seen it deleted, though its deleter was never told',
    [sends(1, [0, 1]), deletes(1, [2]), getsMessageNotFound(1, [3, 4]), lists([1], [5, 6])],
  ],
  ['a message that is deleted twice', [sends(1, [0, 1]), deletes(1, [2, 3]), deletes(1, [4, 5])]],
  ['a message that is there twice', [sends(1, [0, 1]), lists([1], [2, 3]), lists([2, 1], [4, 5])]],
  ['a page that has one message twice', [sends(1, [0, 1]), lists([1, 1], [2, 3])]],
  [
    'a text that is there under two ids',
    [sends(1, [0, 1]), sends(1, [2, 3], { id: 'another', text: 'm1' })],
  ],
  ['a key that makes a message twice', [sendsWithKey(1, [0, 1]), sendsWithKey(1, [2, 3])]],
  [
    'a key whose reply is said to be an earlier one, when there was none',
    [sendsWithKey(1, [0, 1], true)],
  ],
  [
    'a page that skips a message next to its cursor, downwards',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([1], [4, 5], { after: 3 }),
    ],
  ],
  [
    'a page that skips a message next to its cursor, upwards',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { before: 1 }),
    ],
  ],
  [
    'a page that is short though the list goes on',
    [
      ...[1, 2, 3].map((sequence) => sends(sequence, [sequence, sequence + 0.5])),
      lists([3], [4, 5], { limit: 2 }),
    ],
  ],
  [
    'a page that promises more where the list ends',
    [sends(1, [0, 1]), lists([1, '…'], [2, 3], { limit: 1 })],
  ],
  [
    'a page that has its cursor on it',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { after: 2 })],
  ],
  [
    'a page of more than was asked for',
    [sends(1, [0, 1]), sends(2, [2, 3]), lists([2, 1], [4, 5], { limit: 1 })],
  ],
  [
    'a conversation that can be listed after it was deleted',
    [sends(1, [0, 1]), deletesConversation([2, 3]), lists([1], [4, 5])],
  ],
  [
    'a message that can be retrieved after its conversation was deleted',
    [sends(1, [0, 1]), deletesConversation([2, 3]), retrieves(1, [4, 5])],
  ],
  [
    'a message that is sent after the conversation was deleted',
    [deletesConversation([0, 1]), sends(1, [2, 3])],
  ],
  [
    'a list that empties before its conversation is deleted',
    [sends(1, [0, 1]), deletesConversation([2, 9]), lists([], [3, 4])],
  ],
  [
    'a conversation that is deleted twice',
    [deletesConversation([0, 1]), deletesConversation([2, 3])],
  ],
  [
    'a repeated key that is refused when its message had been sent before the conversation was deleted',
    [sendsWithKey(1, [0, 1]), deletesConversation([2, 3]), getsConversationNotFound(1, [4, 5])],
  ],
  [
    'a twin that is refused although somebody had seen the message, before its sender was told',
    [
      sendsWithKey(1, [0, 9]),
      lists([1], [1, 2]),
      deletesConversation([3, 4]),
      getsConversationNotFound(1, [5, 6]),
    ],
  ],
];

describe('the judge of histories lets pass', () => {
  test.each(fine)('%s', (_, history) => {
    expect(checkHistory(history)).toBeUndefined();
  });
});

describe('the judge of histories finds', () => {
  test.each(wrong)('%s', (_, history) => {
    expect(checkHistory(history)).toBeDefined();
  });
});

test('what the judge finds is told a line an operation, with the answer that nothing explains', () => {
  const history = [lists([1], [30, 40]), sends(1, [0, 1]), deletes(1, [2, 9.25]), sends(2, [3])];
  expect(checkHistory(history)?.split('\n')).toEqual([
    'No order of these operations explains what was answered to the one marked with ✗.',
    '      0.0 –     1.0 ms  ann      sends m1                                 → sent: m1 #00000001',
    '      2.0 –     9.3 ms  ann      deletes m1                               → deleted',
    '      3.0 –       ? ms  ann      sends m2                                 → nobody knows (broken off)',
    '✗    30.0 –    40.0 ms  ann      lists 10                                 → [m1 #00000001]',
    'Until then there may have been, oldest first, (deleted):',
    '  (m1)',
  ]);
});
