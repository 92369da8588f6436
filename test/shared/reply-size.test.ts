import { describe, expect, test } from '@jest/globals';
import { countFitting } from '../../shared/paging.ts';

describe('A response contains', () => {
  /**
   * Returns an item whose JSON text has the given number of bytes. In an escaped JSON string, only
   * the item's four quotes are escaped.
   */
  const item = (bytes: number) => ({ t: 'x'.repeat(bytes - 8) });
  /**
   * Returns an item whose text is `count` double quotes, then `more`. In an escaped JSON string,
   * each of these quotes takes four bytes, and the item without its text takes fourteen bytes.
   */
  const quotes = (count: number, more = '') => ({ t: '"'.repeat(count) + more });

  test.each([
    ['no items of an empty list', [], 0],
    ['all items of a short list', [item(10), item(10)], 2],
    ['all items up to five million bytes', [item(2_000_000), item(3_000_000)], 2],
    ['no items beyond five million bytes', [item(2_000_000), item(3_000_001)], 1],
    [
      'all items up to six million bytes as an escaped JSON string',
      [quotes(749_996), quotes(749_997)],
      2,
    ],
    [
      'no items beyond six million bytes as an escaped JSON string',
      [quotes(749_996), quotes(749_997, 'x')],
      1,
    ],
    ['at least one item, even if it is too large', [item(5_000_001), item(10)], 1],
    [
      'only the items whose bytes fit, even if more characters would fit',
      [{ t: '😀'.repeat(1_250_000) }, item(10)],
      1,
    ],
    [
      'only the items whose escaped bytes fit, even if more characters would fit',
      [{ t: `${'ä'.repeat(1_900_000)}${'"'.repeat(400_000)}` }, { t: '"'.repeat(160_000) }],
      1,
    ],
  ])('%s', (_, items, expected) => {
    expect(countFitting(items)).toBe(expected);
  });
});
