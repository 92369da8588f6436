import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ReactionChange } from '../../../../shared/contract/resources/message.ts';

const maps = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ [`name${n}`]: ['ann'] }));

describe('The schema for reaction changes', () => {
  test.each([
    ['a map', (count: number) => Object.assign({}, ...maps(count))],
    ['a list of maps', maps],
  ])('accepts at most 100 names in %s', (_, reactions) => {
    expect(v.is(ReactionChange, reactions(100))).toBe(true);
    const { issues = [] } = v.safeParse(ReactionChange, reactions(101));
    expect(issues.map(({ message }) => message)).toEqual(['must have at most 100 names']);
  });

  test('counts a name once, even if several maps contain it', () => {
    expect(v.is(ReactionChange, Array(150).fill({ ok: [] }))).toBe(true);
  });
});
