import { describe, expect, test } from '@jest/globals';
import { invalidParameter } from '../../shared/api-error.ts';
import { formatCursor, type Paging, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';

describe('The paging parameters', () => {
  test.each<[string, Parameters<typeof toPaging>[0], Paging]>([
    ['the first page', { limit: 5 }, { limit: 5, count: 6, backwards: false, cursor: undefined }],
    [
      'the page after an item',
      { limit: 5, starting_after: 'a' },
      { limit: 5, count: 6, backwards: false, cursor: { parameter: 'starting_after', value: 'a' } },
    ],
    [
      'the page before an item',
      { limit: 5, ending_before: 'a' },
      { limit: 5, count: 6, backwards: true, cursor: { parameter: 'ending_before', value: 'a' } },
    ],
  ])('request %s', (_, parameters, expected) => {
    expect(toPaging(parameters)).toEqual(expected);
  });
});

describe('A page of results', () => {
  const page = (found: string[], backwards: boolean, maxItems?: number) =>
    toPage(found, { limit: 3, backwards }, (one) => `after ${one}`, maxItems);
  const ends = (first: string, last: string) => ({
    first: `after ${first}`,
    last: `after ${last}`,
  });

  test.each([
    [
      'sets `has_more` if there are more results than the limit',
      page(['a', 'b', 'c', 'd'], false),
      { data: ['a', 'b', 'c'], has_more: true, ...ends('a', 'c') },
    ],
    [
      'has all results if their number equals the limit',
      page(['a', 'b', 'c'], false),
      { data: ['a', 'b', 'c'], has_more: false, ...ends('a', 'c') },
    ],
    [
      'from a backward read is in the order of the list',
      page(['d', 'c', 'b', 'a'], true),
      { data: ['b', 'c', 'd'], has_more: true, ...ends('b', 'd') },
    ],
    [
      'has at most `maxItems` results if the limit is higher',
      page(['a', 'b', 'c'], false, 2),
      { data: ['a', 'b'], has_more: true, ...ends('a', 'b') },
    ],
    [
      'has at most `limit` results if `maxItems` is higher',
      page(['a', 'b', 'c', 'd'], false, 4),
      { data: ['a', 'b', 'c'], has_more: true, ...ends('a', 'c') },
    ],
    [
      'without results has neither `first` nor `last`',
      page([], false),
      { data: [], has_more: false },
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toStrictEqual(expected);
  });
});

describe('The start of a page', () => {
  const paging = (value: string): Paging => ({
    limit: 3,
    count: 4,
    backwards: true,
    cursor: { parameter: 'ending_before', value },
  });

  test.each([
    ['an id', 'a', { id: 'a', position: undefined }],
    ['an id and a position', formatCursor('a', 5), { id: 'a', position: '5' }],
  ])('is the position that the list derives from the cursor: %s', async (_, value, cursor) => {
    expect(await resolveCursor(paging(value), 'must be …', (one) => one)).toEqual(cursor);
  });

  test('without a cursor is undefined and requires no parsing', async () => {
    const read = () => Promise.reject(new Error('The cursor must not be parsed.'));
    expect(await resolveCursor({ ...paging(''), cursor: undefined }, '', read)).toBeUndefined();
  });

  test('is rejected if the list cannot parse the cursor', async () => {
    await expect(resolveCursor(paging('a'), 'must be …', () => undefined)).rejects.toThrow(
      invalidParameter('ending_before', 'must be …'),
    );
  });
});
