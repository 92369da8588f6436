import { expect, test } from '@jest/globals';
import fc from '../../support/setup/fast-check.ts';
import { linearize, type Model, type Timed } from './linearize.ts';

/**
 * An operation that appends a letter to a word, or reads the word. If an operation has no reply,
 * its outcome is unknown.
 */
interface Step extends Timed {
  letter?: string | undefined;
  read?: string | undefined;
}

const word: Model<string, Step> = {
  initial: '',
  keyOf: (state) => state,
  isRead: ({ letter }) => letter === undefined,
  step: (state, { letter, read }) => {
    if (letter !== undefined) return state + letter;
    return read === state ? state : undefined;
  },
};

/**
 * Tests all orders, and reports whether any of them explains all replies. An operation without a
 * reply may take effect at any time after its request, or never.
 */
function isExplained(left: Step[], state = ''): boolean {
  const replied = left.filter(({ responded }) => responded < Number.POSITIVE_INFINITY);
  if (replied.length === 0) return true;
  const first = Math.min(...replied.map(({ responded }) => responded));
  return left
    .filter(({ invoked }) => invoked <= first)
    .some((step) => {
      const next = word.step(state, step, state);
      return (
        next !== undefined &&
        isExplained(
          left.filter((one) => one !== step),
          next,
        )
      );
    });
}

const span = fc
  .record({ invoked: fc.nat(20), takes: fc.nat(12), isKnown: fc.integer({ min: 0, max: 5 }) })
  .map(({ invoked, takes, isKnown }) => ({
    invoked,
    responded: invoked + takes,
    isKnown: isKnown > 0,
  }));

const writes = fc.record({ letter: fc.constantFrom('a', 'b'), span }).map(
  ({ letter, span: { invoked, responded, isKnown } }): Step => ({
    letter,
    invoked,
    responded: isKnown ? responded : Number.POSITIVE_INFINITY,
  }),
);

const reads = fc
  .record({ read: fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), span })
  .map(({ read, span: { invoked, responded } }): Step => ({ read, invoked, responded }));

test('linearize accepts exactly the histories that a brute-force search accepts', () => {
  const verdicts = new Set<boolean>();
  fc.assert(
    fc.property(fc.array(fc.oneof(writes, reads), { maxLength: 7 }), (history) => {
      const expected = isExplained(history);
      verdicts.add(expected);
      expect(linearize(word, history) === undefined).toBe(expected);
    }),
    { numRuns: 3000 },
  );
  expect(verdicts.size).toBe(2);
});
