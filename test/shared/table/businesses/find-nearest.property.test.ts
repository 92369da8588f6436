import { describe, expect, test } from '@jest/globals';
import {
  getCellDistance,
  getDistanceBounds,
  type Point,
  toCellKey,
} from '../../../../shared/table/businesses/search/cells.ts';
import {
  type CellEntry,
  findNearest,
  type NearestRange,
  toCellEntry,
  toNearPosition,
} from '../../../../shared/table/businesses/search/find-nearest.ts';
import fc from '../../../support/setup/fast-check.ts';
import { selectSize } from '../../../support/setup/sample-size.ts';

/** Number of listings in the tests that measure the cost of a search. */
const many = selectSize(20_000, 100_000);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Creates an in-memory index that counts calls and entries read. */
function createIndex(entries: readonly CellEntry[]) {
  const sorted = entries.map(({ cell, publicId }) => `${cell}#${publicId}`).sort(compare);
  const usage = { calls: 0, entries: 0 };
  const findStart = (key: string) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((sorted[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const find = (range: NearestRange) =>
    findNearest(range, async ({ cell, count, backwards, from }) => {
      const position = from === undefined ? undefined : `${cell}#${from}`;
      const [start, end] = [findStart(cell), findStart(`${cell}~`)];
      const [first, last] =
        position === undefined
          ? [start, end]
          : backwards
            ? [start, findStart(position)]
            : [
                sorted[findStart(position)] === position
                  ? findStart(position) + 1
                  : findStart(position),
                end,
              ];
      const found = backwards
        ? sorted.slice(Math.max(first, last - count), last).toReversed()
        : sorted.slice(first, Math.min(last, first + count));
      usage.calls += 1;
      usage.entries += found.length;
      return found.map((key) => {
        const [cell = '', publicId = ''] = key.split('#');
        return { cell, publicId };
      });
    });
  return { find, usage };
}

const coordinate = (limit: number) =>
  fc.double({ min: -limit, max: limit, noNaN: true, noDefaultInfinity: true });
const anywhere = fc.record({ latitude: coordinate(90), longitude: coordinate(180) });
/** Points where cells meet, points at or near the poles and the date line, and a typical point. */
const special: fc.Arbitrary<Point> = fc.constantFrom(
  { latitude: 0, longitude: 0 },
  { latitude: 90, longitude: 0 },
  { latitude: -89.999, longitude: 120 },
  { latitude: 12, longitude: 180 },
  { latitude: -16.5, longitude: -179.9999 },
  { latitude: 52.52, longitude: 13.405 },
);
const center = fc.oneof(anywhere, special);

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
const wrap = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180;

const crowd = (around: Point) =>
  fc
    .array(
      fc.record({
        north: fc.integer({ min: -60, max: 60 }),
        east: fc.integer({ min: -60, max: 60 }),
      }),
      { maxLength: selectSize(150, 400), size: 'max' },
    )
    .map((offsets) =>
      offsets.map(({ north, east }) => ({
        latitude: clamp(around.latitude + north / 100, 90),
        longitude: wrap(around.longitude + east / 100),
      })),
    );

const cases = fc
  .record({
    point: center,
    radius: fc.constantFrom(1, 500, 10_000, 100_000),
    limit: fc.integer({ min: 1, max: 101 }),
  })
  .chain(({ point, radius, limit }) =>
    crowd(point).map((places) => ({ point, radius, limit, places })),
  );

/** Reads all pages forwards or, if `last` is set, backwards from `last`. */
async function readAll(
  find: ReturnType<typeof createIndex>['find'],
  range: Omit<NearestRange, 'from' | 'backwards'>,
  last?: string,
) {
  const found: string[] = [];
  const backwards = last !== undefined;
  for (let from = last; ; from = found.at(-1)) {
    const page = await find({ ...range, from, backwards });
    found.push(...page.map(({ position }) => position));
    if (page.length < range.count) return found;
  }
}

describe('The nearest entries', () => {
  test('equal a sorted full scan if they are read page by page in either direction', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ point, radius, limit, places }) => {
        const entries = places.map((place, n) => toCellEntry(`b${n}`, place));
        const { find } = createIndex(entries);
        const expected = entries
          .flatMap((entry) => toNearPosition({ point, radius }, entry) ?? [])
          .sort(compare);
        const range = { point, radius, count: limit };
        expect(await readAll(find, range)).toEqual(expected);
        expect((await readAll(find, range, '~')).toReversed()).toEqual(expected);
      }),
      { numRuns: selectSize(10, 200) },
    );
  });

  test('are found in adjacent cells of the smallest size if each cell has 150 entries', async () => {
    const point = { latitude: 52.52, longitude: 13.405 };
    const cell = toCellKey(point);
    const neighbors = [...'0123'].map((digit) => cell.slice(0, -1) + digit);
    const entries = neighbors.flatMap((one) =>
      Array.from({ length: 150 }, (_, n) => ({ cell: one, publicId: `b${n}` })),
    );
    const { find } = createIndex(entries);
    const range = { point, radius: 1000, count: 40 };
    const expected = entries.flatMap((one) => toNearPosition(range, one) ?? []).sort(compare);
    expect(await readAll(find, range)).toEqual(expected);
    expect((await readAll(find, range, '~')).toReversed()).toEqual(expected);
  });

  test.each([
    ['in one place', () => ({ latitude: 52.52, longitude: 13.405 })],
    ['in one house', (n: number) => ({ latitude: 52.52 + (n % 7) / 1e6, longitude: 13.405 })],
    ['in one street', (n: number) => ({ latitude: 52.52, longitude: 13.405 + n / 1e7 })],
    [
      'in one city',
      (n: number) => ({
        latitude: 52.52 + ((n * 7919) % 100_003) / 500_000,
        longitude: 13.405 + ((n * 104_729) % 100_003) / 500_000,
      }),
    ],
    [
      'around the pole',
      (n: number) => ({ latitude: 89.99 - (n % 317) / 1e4, longitude: wrap(n * 0.0037) }),
    ],
  ])(
    'cost at most 25 calls and 700 read entries per page if thousands of listings are %s',
    async (_, toPlace) => {
      const entries = Array.from({ length: many }, (__, n) => toCellEntry(`b${n}`, toPlace(n)));
      const { find, usage } = createIndex(entries);
      const point = toPlace(many / 2);
      const range = { point, radius: 100_000, count: 11, backwards: false };
      const first = await find({ ...range, from: undefined });
      expect(first).toHaveLength(11);
      const costs = [{ ...usage }];
      Object.assign(usage, { calls: 0, entries: 0 });
      await find({ ...range, from: first.at(-1)?.position });
      costs.push({ ...usage });
      for (const { calls, entries } of costs) {
        expect([calls, calls <= 25]).toEqual([calls, true]);
        expect([entries, entries <= 700]).toEqual([entries, true]);
      }
    },
  );
});

describe('A cell', () => {
  test('has only points within its distance bounds, with a tolerance of two meters', () => {
    fc.assert(
      fc.property(center, center, fc.integer({ min: 1, max: 25 }), (point, place, digits) => {
        const { min, max } = getDistanceBounds(point, toCellKey(place).slice(0, digits));
        const distance = getCellDistance(point, toCellKey(place));
        expect(distance).toBeGreaterThanOrEqual(min - 2);
        expect(distance).toBeLessThanOrEqual(max + 2);
      }),
      { numRuns: selectSize(500, 5000) },
    );
  });

  test('of the smallest size extends less than two meters from each of its points', () => {
    fc.assert(
      fc.property(center, (place) => {
        const { max } = getDistanceBounds(place, toCellKey(place));
        expect(max).toBeLessThan(2);
      }),
    );
  });
});
