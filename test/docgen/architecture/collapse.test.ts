import { describe, expect, test } from '@jest/globals';
import { collapse, operations } from '../../../docgen/architecture/collapse.ts';
import type { Arrow } from '../../../docgen/architecture/graph.ts';
import fc from '../../support/setup/fast-check.ts';

const texts = (arrows: Arrow[]) =>
  [...new Set(arrows.map(({ from, to, label }) => `${from} ${label} ${to}`))].sort();

/** Returns the arrows that the collapsed arrows represent. */
function expand({ groups, arrows }: ReturnType<typeof collapse>): Arrow[] {
  const called = groups.flat();
  const toOriginals = (id: string) =>
    id === operations ? called : (groups.find(([first]) => first === id) ?? [id]);
  return arrows.flatMap(({ from, to, label }) =>
    toOriginals(from).flatMap((one) =>
      toOriginals(to).map((other) => ({ from: one, to: other, label })),
    ),
  );
}

const calls = ['a', 'b', 'c', 'd'].map((to) => ({ from: 'api', to, label: 'calls' }));
const arrow = fc.record({
  from: fc.constantFrom('a', 'b', 'c', 'd', 'purge'),
  to: fc.constantFrom('table', 'index', 'topic'),
  label: fc.constantFrom('reads', 'writes', 'alarm'),
});

describe('Collapsed arrows', () => {
  test('represent exactly the original arrows', () => {
    fc.assert(
      fc.property(fc.subarray(calls), fc.array(arrow, { maxLength: 30 }), (subset, others) => {
        const all = [...subset, ...others];
        expect(texts(expand(collapse(all)))).toEqual(texts(all));
      }),
    );
  });

  test('replace equal arrows of all operations, or of a group of operations, with one arrow', () => {
    const reads = ['a', 'b', 'c', 'd'].map((from) => ({ from, to: 'table', label: 'reads' }));
    const writes = ['a', 'c'].map((from) => ({ from, to: 'table', label: 'writes' }));
    expect(collapse([...calls, ...reads, ...writes])).toEqual({
      groups: [
        ['a', 'c'],
        ['b', 'd'],
      ],
      arrows: [
        { from: 'api', to: operations, label: 'calls' },
        { from: operations, to: 'table', label: 'reads' },
        { from: 'a', to: 'table', label: 'writes' },
      ],
    });
  });
});
