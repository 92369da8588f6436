import { describe, expect, test } from '@jest/globals';
import { countFitting } from '../../shared/reply-size.ts';

describe('As many items are given as one reply can hold', () => {
  /** As JSON it has so many bytes, of which none is escaped but in the quotes around the name and the text. */
  const item = (bytes: number) => ({ t: 'x'.repeat(bytes - 8) });
  /** As JSON inside of JSON it has four bytes for each, and fourteen more. */
  const quotes = (count: number, more = '') => ({ t: '"'.repeat(count) + more });

  test.each([
    ['none of none', [], 0],
    ['all of few', [item(10), item(10)], 2],
    ['five million bytes', [item(2_000_000), item(3_000_000)], 2],
    ['not one byte more', [item(2_000_000), item(3_000_001)], 1],
    ['six million bytes as Lambda counts them', [quotes(749_996), quotes(749_997)], 2],
    ['not one byte more of these', [quotes(749_996), quotes(749_997, 'x')], 1],
    ['one at least', [item(5_000_001), item(10)], 1],
    ['bytes, not characters', [{ t: '😀'.repeat(1_250_000) }, item(10)], 1],
    [
      'bytes, not characters, of the text in the text',
      [{ t: `${'ä'.repeat(1_900_000)}${'"'.repeat(400_000)}` }, { t: '"'.repeat(160_000) }],
      1,
    ],
  ])('%s', (_, items, expected) => {
    expect(countFitting(items)).toBe(expected);
  });
});
