import { describe, expect, test } from '@jest/globals';
import { addQuantities, getCost } from '../../../commands/cost/prices.ts';

describe('The cost of a quantity', () => {
  test('is reduced by the free tier only if requested', () => {
    expect(getCost('storageGb', 30, true)).toBe(1.25);
    expect(getCost('storageGb', 30, false)).toBe(7.5);
    expect(getCost('alarms', 5, true)).toBe(0);
  });
});

describe('Quantities', () => {
  test('are multiplied by their factors and summed by name, and zeros are omitted', () => {
    const sum = addQuantities(
      [{ alarms: 2, readUnits: 1 }],
      [{ alarms: 3 }],
      [{ readUnits: 2 }, 4],
      [{ dashboards: 0 }],
    );
    expect(sum).toEqual({ alarms: 5, readUnits: 9 });
  });
});
