import { describe, expect, test } from '@jest/globals';
import { invalidParameter } from '../../shared/api-error.ts';
import { formatCursor, type Paging, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';

describe('Which page is asked for', () => {
  test.each<[string, Parameters<typeof toPaging>[0], Paging]>([
    ['the first', { limit: 5 }, { limit: 5, backwards: false, cursor: undefined }],
    [
      'the one after an item',
      { limit: 5, starting_after: 'a' },
      { limit: 5, backwards: false, cursor: { parameter: 'starting_after', value: 'a' } },
    ],
    [
      'the one before an item',
      { limit: 5, ending_before: 'a' },
      { limit: 5, backwards: true, cursor: { parameter: 'ending_before', value: 'a' } },
    ],
  ])('%s', (_, parameters, expected) => {
    expect(toPaging(parameters)).toEqual(expected);
  });
});

describe('A page of what was found', () => {
  const page = (found: string[], backwards: boolean, most?: number) =>
    toPage(found, { limit: 3, backwards, cursor: undefined }, (one) => `after ${one}`, most);
  const ends = (first: string, last: string) => ({
    first: `after ${first}`,
    last: `after ${last}`,
  });

  test.each([
    [
      'of more than fit it says so',
      page(['a', 'b', 'c', 'd'], false),
      { data: ['a', 'b', 'c'], has_more: true, ...ends('a', 'c') },
    ],
    [
      'of just as many has all',
      page(['a', 'b', 'c'], false),
      { data: ['a', 'b', 'c'], has_more: false, ...ends('a', 'c') },
    ],
    [
      'that was found backwards is in the list’s own order',
      page(['d', 'c', 'b', 'a'], true),
      { data: ['b', 'c', 'd'], has_more: true, ...ends('b', 'd') },
    ],
    [
      'of which not all can be given ends before',
      page(['a', 'b', 'c'], false, 2),
      { data: ['a', 'b'], has_more: true, ...ends('a', 'b') },
    ],
    [
      'has no more than the limit, even if more could be given',
      page(['a', 'b', 'c', 'd'], false, 4),
      { data: ['a', 'b', 'c'], has_more: true, ...ends('a', 'c') },
    ],
    ['of nothing has no ends', page([], false), { data: [], has_more: false }],
  ])('%s', (_, found, expected) => {
    expect(found).toStrictEqual(expected);
  });
});

describe('Where a page starts', () => {
  const paging = (value: string): Paging => ({
    limit: 3,
    backwards: true,
    cursor: { parameter: 'ending_before', value },
  });

  test.each([
    ['an id', 'a', { id: 'a', position: undefined }],
    ['an id and a place', formatCursor('a', 5), { id: 'a', position: '5' }],
  ])('is what the list makes of the cursor: %s', async (_, value, cursor) => {
    expect(await resolveCursor(paging(value), 'must be …', (one) => one)).toEqual(cursor);
  });

  test('is the list’s end without a cursor, of which nothing is made', async () => {
    const read = () => Promise.reject(new Error('There is no cursor to be read.'));
    expect(await resolveCursor({ ...paging(''), cursor: undefined }, '', read)).toBeUndefined();
  });

  test('is refused where the list makes nothing of the cursor', async () => {
    await expect(resolveCursor(paging('a'), 'must be …', () => undefined)).rejects.toThrow(
      invalidParameter('ending_before', 'must be …'),
    );
  });
});
