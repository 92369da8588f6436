import { describe, expect, test } from '@jest/globals';
import { fieldsOf, nestForm } from '../../../shared/http/form.ts';

describe('A form', () => {
  test('nests by the brackets of its names', () => {
    expect(nestForm(fieldsOf('a[b][c]=1&a[d][]=2&a[d][]=3'), 2)).toEqual(
      new Map([
        [
          'a',
          new Map<string, unknown>([
            ['b', new Map([['c', '1']])],
            ['d', ['2', '3']],
          ]),
        ],
      ]),
    );
  });

  test.each([
    ['one bracket more than may be', 17],
    ['as many as a body has room for', 85_000],
  ])('is refused at once when a name has %s', (_, count) => {
    const start = performance.now();
    expect(() => nestForm([[`a${'[b]'.repeat(count)}`, '1']], 16)).toThrow('nests deeper than 16');
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
