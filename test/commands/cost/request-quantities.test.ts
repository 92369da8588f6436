import { describe, expect, test } from '@jest/globals';
import { shares } from '../../../commands/cost/assumptions.ts';
import { budgets, unmeasuredBudget } from '../../../commands/cost/budgets.ts';
import { averageBudget, getRequestQuantities } from '../../../commands/cost/request-quantities.ts';
import { deleteConversation, sendMessage } from '../../../shared/contract/operations.ts';

describe('The average budget of an operation', () => {
  test('is the mean of its budgets, weighted by their shares, plus AWS’s additional charges', () => {
    // On AWS, a direct message takes 6 write units, or 9 with an Idempotency-Key. A group message
    // takes 4 write units, or 7 with a key. The first group message after a pause takes 5 write
    // units, or 6 in an environment that has not handled a send to the conversation before.
    expect(averageBudget('messages/send')).toEqual({
      calls: expect.closeTo(2.56, 9),
      reads: 0.5,
      writes: expect.closeTo(0.4 * 6 + 0.4 * 9 + 0.06 * 4 + 0.02 * 5 + 0.02 * 6 + 0.1 * 7, 9),
    });
  });

  test("includes the caller's groups when listing conversations", () => {
    // Nine in ten list requests read half a unit for each of two groups. Half of those requests
    // also count unread messages. Every list request reads one unit for the user groups.
    expect(averageBudget('conversations/list')).toMatchObject({
      reads: expect.closeTo(0.45 * 37 + 0.45 * 38.5 + 0.1 * 13 + 1, 9),
    });
  });

  test('is the first budget if the operation has no shares', () => {
    expect(averageBudget('messages/retrieve')).toEqual(budgets['messages/retrieve'].known);
  });

  test('is the default budget if the operation was not measured', () => {
    const { 'messages/retrieve': measured } = budgets;
    Reflect.deleteProperty(budgets, 'messages/retrieve');
    const { calls, reads, writes } = averageBudget('messages/retrieve');
    Object.assign(budgets, { 'messages/retrieve': measured });
    expect({ calls, reads, writes }).toEqual(unmeasuredBudget);
  });

  test('uses shares that add up to 1', () => {
    for (const [id, ofBudgets] of Object.entries(shares)) {
      const sum = Object.values(ofBudgets).reduce((total, cost) => total + cost, 0);
      expect([id, sum]).toEqual([id, expect.closeTo(1, 9)]);
    }
  });
});

describe('One request', () => {
  test('to send a message uses capacity units, Lambda, the gateway, the firewall, data transfer and logs', () => {
    const { dataOutGb = 0, ...quantities } = getRequestQuantities(sendMessage, true);
    expect(quantities).toEqual({
      readUnits: 1,
      // Half of the requests also store the sender's contact.
      writeUnits: expect.closeTo(7.16 + 0.5, 9),
      lambdaRequests: 1.2,
      // At 1 GB, each request takes 28.48 ms. In 0.5% of requests, a cold start takes 400 ms. In a
      // fifth of requests, the authorizer takes 10 ms.
      lambdaGbSeconds: expect.closeTo(0.03248, 9),
      apiRequests: 1,
      wafRequests: 1,
      logGb: 1400 / 1024 ** 3,
    });
    expect(dataOutGb * 1024 ** 3).toBeGreaterThan(1000);
  });

  test('to delete a conversation includes the purge of its messages', () => {
    // 100 messages of 550 bytes take one write unit each, and the tombstone takes two. Reading the
    // messages takes 14 read units of 4 KB, and the purge takes two more read units.
    expect(getRequestQuantities(deleteConversation, false)).toMatchObject({
      writeUnits: expect.closeTo(4.6 + 102, 9),
      readUnits: 16,
      lambdaRequests: 2.2,
    });
  });
});
