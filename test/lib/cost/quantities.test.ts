import { describe, expect, test } from '@jest/globals';
import { add, costOf, times } from '../../../lib/cost/quantities.ts';

describe('What a quantity costs', () => {
  test('is the price of each of its tiers', () => {
    // 333 million at $3.50, 667 at $2.80, 200 at $2.38.
    expect(costOf('apiRequests', 1_200_000_000, false)).toBeCloseTo(1165.5 + 1867.6 + 476, 6);
  });

  test('leaves out what every account has for nothing, but only if it is to', () => {
    expect(costOf('storageGb', 30, true)).toBe(1.25);
    expect(costOf('storageGb', 30, false)).toBe(7.5);
    expect(costOf('alarms', 5, true)).toBe(0);
    // 90,000 and 100,000 of them: what is free belongs to the first tier.
    expect(costOf('activeUsersLite', 200_000, true)).toBeCloseTo(495 + 460, 6);
  });
});

describe('Quantities', () => {
  test('add up by name, and what is nothing is left out', () => {
    const sum = add({ alarms: 2, readUnits: 1 }, { alarms: 3 }, times({ readUnits: 2 }, 4), {
      dashboards: 0,
    });
    expect(sum).toEqual({ alarms: 5, readUnits: 9 });
  });
});
