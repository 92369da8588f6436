import { expect, test } from '@jest/globals';
import {
  getOrder,
  newestFirst,
} from '../../../../../shared/table/messages/across/message-order.ts';

test('Messages are ordered by time, then conversation, then sequence number, in both directions', () => {
  const inOrder = [
    ['B', 2, 9],
    ['A', 1, 9],
    ['B', 3, 5],
    ['B', 1, 5],
    ['A', 7, 5],
    ['A', 2, 5],
  ] as const;
  const positions = inOrder.map(([conversationId, sequence, sentAt]) => ({
    ...{ conversationId, sequence, sentAt },
  }));
  for (const [n, one] of positions.entries()) {
    for (const [m, other] of positions.entries()) {
      expect(Math.sign(newestFirst(one, other))).toBe(Math.sign(n - m));
      expect(Math.sign(getOrder('newer')(one, other))).toBe(Math.sign(m - n));
    }
  }
});
