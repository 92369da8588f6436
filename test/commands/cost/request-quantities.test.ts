import { describe, expect, test } from '@jest/globals';
import { shares } from '../../../commands/cost/assumptions.ts';
import { budgets, unmeasuredBudget } from '../../../commands/cost/budgets.ts';
import { averageBudget, getRequestQuantities } from '../../../commands/cost/request-quantities.ts';
import { deleteConversation, sendMessage } from '../../../shared/contract/operations.ts';

describe('What a request asks of the table', () => {
  test('is what its budgets say, by how often each is met, as AWS charges it', () => {
    // Six for a direct message, nine with a key at AWS; four and seven to a group.
    expect(averageBudget('messages/send')).toEqual({
      calls: 2.5,
      reads: 0.5,
      writes: expect.closeTo(0.4 * 6 + 0.4 * 9 + 0.1 * 4 + 0.1 * 7, 9),
    });
  });

  test('grows with the groups of who lists conversations', () => {
    // Of two groups half a unit each, in nine lists of ten; the tenth asks for a flag.
    expect(averageBudget('conversations/list')).toMatchObject({
      reads: expect.closeTo(0.9 * 7 + 0.1 * 13, 9),
    });
  });

  test('is its first budget, where nobody has said how often each is met', () => {
    expect(averageBudget('messages/retrieve')).toEqual(budgets['messages/retrieve'].known);
  });

  test('is taken to be a look and a change, where nobody has measured it', () => {
    const { 'messages/retrieve': measured } = budgets;
    Reflect.deleteProperty(budgets, 'messages/retrieve');
    const { calls, reads, writes } = averageBudget('messages/retrieve');
    Object.assign(budgets, { 'messages/retrieve': measured });
    expect({ calls, reads, writes }).toEqual(unmeasuredBudget);
  });

  test('is shared out as a whole', () => {
    for (const [id, ofBudgets] of Object.entries(shares)) {
      const sum = Object.values(ofBudgets).reduce((total, share) => total + share, 0);
      expect([id, sum]).toEqual([id, expect.closeTo(1, 9)]);
    }
  });
});

describe('One request', () => {
  test('to send takes units, functions, the gateway, its reply and its log', () => {
    const { dataOutGb = 0, ...quantities } = getRequestQuantities(sendMessage, true);
    expect(quantities).toEqual({
      readUnits: 1,
      // With the sender's contact in every other.
      writeUnits: expect.closeTo(7.1 + 0.5, 9),
      lambdaRequests: 1.2,
      // 28 ms, 0.5 % of 400 ms, and a fifth of the authorizer's 10 ms, with 1 GB.
      lambdaGbSeconds: 0.032,
      apiRequests: 1,
      wafRequests: 1,
      logGb: 2200 / 1024 ** 3,
    });
    expect(dataOutGb * 1024 ** 3).toBeGreaterThan(1000);
  });

  test('to delete a conversation takes the purge of its messages, too', () => {
    // 100 messages of 550 bytes: a write unit each, the tombstone two; read in 14 units of 4 KB, and two more.
    expect(getRequestQuantities(deleteConversation, false)).toMatchObject({
      writeUnits: expect.closeTo(4.6 + 102, 9),
      readUnits: 16,
      lambdaRequests: 2.2,
    });
  });
});
