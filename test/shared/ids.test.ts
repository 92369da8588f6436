import { describe, expect, test } from '@jest/globals';
import {
  isConversationId,
  newConversationId,
  parseMessageId,
  toMessageId,
} from '../../shared/ids.ts';
import fc from '../support/setup/fast-check.ts';

const times = fc.integer({ min: 0, max: 2 ** 47 });
const sequences = fc.integer({ min: 1, max: 10 ** 12 - 1 });

describe('Ids', () => {
  test('of messages contain the conversation id, sequence number and timestamp', () => {
    fc.assert(
      fc.property(times, sequences, times, (createdAt, sequence, sentAt) => {
        const position = { conversationId: newConversationId(createdAt), sequence, sentAt };
        expect(parseMessageId(toMessageId(position))).toEqual(position);
      }),
    );
  });

  test('of conversations sort as text by creation time, and ids of a conversation’s messages by sequence number', () => {
    const sign = (a: number | string, b: number | string) =>
      Math.sign(Number(a > b) - Number(a < b));
    fc.assert(
      fc.property(times, times, sequences, sequences, (t1, t2, s1, s2) => {
        fc.pre(t1 !== t2 && s1 !== s2);
        expect(sign(newConversationId(t1), newConversationId(t2))).toBe(sign(t1, t2));
        const conversationId = newConversationId(t1);
        const [one, other] = [s1, s2].map((sequence) =>
          toMessageId({ conversationId, sequence, sentAt: t2 }),
        );
        expect(sign(one ?? '', other ?? '')).toBe(sign(s1, s2));
      }),
    );
  });

  test('are rejected if they are random text, or message ids in lower case or of a different length', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isConversationId(text)).toBe(false);
        expect(parseMessageId(text)).toBeUndefined();
      }),
    );
    const id = toMessageId({ conversationId: newConversationId(1), sequence: 1, sentAt: 1 });
    expect([id.toLowerCase(), `${id}0`, id.slice(1), ` ${id}`].map(parseMessageId)).toEqual(
      Array(4).fill(undefined),
    );
  });
});
