import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../../shared/api-error.ts';
import { checkEncoding, nestForm } from '../../../../shared/http/request/form.ts';

describe('A form', () => {
  test('is converted to nested maps according to the brackets in its field names', () => {
    expect(nestForm({ 'a[b][c]': '1', 'a[d][]': ['2', '3'] }, 3)).toEqual(
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
    ['one bracket pair above the limit', 16],
    ['as many bracket pairs as fit in a body', 85_000],
  ])('is rejected if a field name has %s', (_, count) => {
    expect(() => nestForm({ [`a${'[b]'.repeat(count)}`]: '1' }, 16)).toThrow(
      'nest at most 16 levels deep',
    );
  });

  test.each(['a=100% sure&b=%zz%4', 'a=%F0%9f%8E%89é', 'a%5B%5D=1', '%C3%A9=+', ''])(
    'with valid UTF-8 is accepted: %s',
    (form) => {
      expect(() => checkEncoding(form)).not.toThrow();
    },
  );

  test.each(['a=%ff', '%ff=a', 'a=1&b=x%C3', 'a=%C3+%A9', 'a=%ED%A0%80', 'a=%C0%AF'])(
    'with invalid UTF-8 is rejected: %s',
    (form) => {
      expect(() => checkEncoding(form)).toThrow('not valid UTF-8');
    },
  );

  test.each([
    ...['a]b', 'a[b', 'a[b]]', 'a[[b]]', 'a[b][', 'a]b[', '[', ']', '[]', '[a]', 'a[]b', 'a[b]c'],
    ...['reactions[a]b][]', 'reactions[[x]][]', 'reactions[x[]', 'attachments[0][na]me]'],
  ])('is rejected if the brackets in a field name are malformed: %s', (name) => {
    expect(() => nestForm({ [name]: 'x' }, 16)).toThrow(
      new ApiError('body_malformed', {
        message: `The form field "${name}" is malformed: brackets must nest as in 'a[b][]'.`,
      }),
    );
  });

  test('with a malformed field name is rejected with an error that shows the first 100 characters of the name', () => {
    expect(() => nestForm({ [`${'x'.repeat(200_000)}]`]: '' }, 16)).toThrow(
      `The form field "${'x'.repeat(100)}…" is malformed`,
    );
  });
});
