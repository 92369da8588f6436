import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ApiError } from '../../../shared/api-error.ts';
import { describeCause } from '../../../shared/log/describe-cause.ts';

const secret = 'Dear Bob, "this" is\n    at the heart of it\n(secret:1:1)';

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test.each([
  ['a parser', () => JSON.parse(secret)],
  ['a parser of nested JSON', () => JSON.parse(`{"message": ${secret}`)],
  ['a validator', () => v.parse(v.number(), secret)],
])(
  'The description of an error from %s omits the text that the error quotes, but contains the error’s name and stack',
  (_, act) => {
    const text = describeCause(thrownBy(act));
    expect(text).toMatch(/^(SyntaxError|ValiError): .*"…".*\n {4}at /);
    for (const word of ['Dear', 'this', 'heart', 'secret:']) expect(text).not.toContain(word);
  },
);

test('An error with a cause is described by the cause', () => {
  const error = new ApiError('unavailable', { cause: new RangeError('too far') });
  expect(describeCause(error)).toMatch(/^RangeError: too far\n {4}at /);
});

test('The description of a string omits quoted text, and a long description is truncated to 2,000 characters', () => {
  expect(describeCause('a "b" c')).toBe('a "…" c');
  expect(describeCause(new Error('x'.repeat(10_000)))).toHaveLength(2000);
});
