import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { saveBusinesses } from '../../../commands/businesses/save-businesses.ts';
import type { StageTable } from '../../../commands/stage/stage-table.ts';
import { listBusinesses } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { normalizeText } from '../../../shared/table/businesses/search/search-text.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { ann } from '../../support/people/callers.ts';
import {
  businessTable,
  createBusinessRecord,
  seedBusinesses,
} from '../../support/seeds/seed-businesses.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import { queryAll } from '../../support/table/query-all.ts';
import '../../support/setup/use-table.ts';

type Query = Record<string, string>;

async function search(query: Query): Promise<{ ids: string[]; has_more: boolean }> {
  const { data, has_more } = await ok(listBusinesses, { as: ann, query });
  return { ids: data.flatMap((one) => ('public_id' in one ? one.public_id : [])), has_more };
}

const searchAll = async (query: Query) => (await search({ limit: '100', ...query })).ids;

/** Reads all pages, forwards from the start or backwards from `last`. */
async function readPages(query: Query, last?: string): Promise<string[]> {
  const found: string[] = last === undefined ? [] : [last];
  for (;;) {
    const cursor: Query =
      last === undefined
        ? found.at(-1) === undefined
          ? {}
          : { starting_after: found.at(-1) ?? '' }
        : { ending_before: found[0] ?? '' };
    const { ids, has_more } = await search({ ...query, ...cursor });
    if (last === undefined) found.push(...ids);
    else found.unshift(...ids);
    expect(ids.length > 0 || !has_more).toBe(true);
    if (!has_more) return found;
  }
}

beforeEach(emptyTable);

const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const active = { status: 'active' };

describe('A search for an industry', () => {
  test('ignores case and accents, and returns the industry’s listings sorted by public id', async () => {
    await seedBusinesses(
      createBusinessRecord('c', { industry: 'Café' }),
      createBusinessRecord('a', { industry: 'cafe', ...active }),
      createBusinessRecord('b', { industry: 'cafes' }),
      createBusinessRecord('d'),
    );
    expect(await searchAll({ industry: 'CAFE' })).toEqual(['a', 'c']);
    expect(await searchAll({ industry: 'café', active: 'true' })).toEqual(['a']);
    expect(await searchAll({ industry: 'bank' })).toEqual([]);
  });
});

describe('A search for title words', () => {
  const titles = [
    ['aurora', 'Café Aurora'],
    ['lotus', 'Green Lotus Yoga'],
    ['twice', 'Yoga for Yoga Teachers'],
    ['tower', '東京タワー'],
    ['fish', 'Smoke & Oak — BBQ'],
    ['street', 'Straße 7'],
    ['emoji', '🎉🎉'],
    ['greek', 'Ζωσιμάς'],
    ['burger', "McDonald’s at O'Hara"],
    ['ice', 'Kauaʻi Shave Ice'],
  ] as const;
  beforeEach(() =>
    seedBusinesses(...titles.map(([id, title]) => createBusinessRecord(id, { title, ...active }))),
  );

  test('finds titles that contain the words in sequence (the last word as a prefix), sorted by the matching text', async () => {
    const expected = {
      cafe: ['aurora'],
      AURO: ['aurora'],
      urora: [],
      'lotus yo': ['lotus'],
      'yoga lotus': [],
      yoga: ['twice', 'lotus'],
      'smoke oak': ['fish'],
      タワー: ['tower'],
      東: ['tower'],
      'strasse 7': ['street'],
      '7': ['street'],
      ζωσ: ['greek'],
      mcdonalds: ['burger'],
      "mcdonald's at": ['burger'],
      hara: ['burger'],
      ohara: ['burger'],
      kauai: ['ice'],
      'kaua’i shave': ['ice'],
    };
    for (const [q, ids] of Object.entries(expected)) {
      const found = [await searchAll({ q }), await searchAll({ q, active: 'true' })];
      expect({ q, found }).toEqual({ q, found: [ids, ids] });
    }
  });

  test('truncates long texts to 100 characters without splitting a surrogate pair', () => {
    expect(normalizeText(`a${'𠀀'.repeat(150)}`)).toBe(`a${'𠀀'.repeat(99)}`);
  });

  test('returns each title once when paging in either direction, even if the title repeats a word', async () => {
    expect(await readPages({ q: 'yoga', limit: '1' })).toEqual(['twice', 'lotus']);
    expect(await readPages({ q: 'yoga', limit: '1' }, 'lotus')).toEqual(['twice', 'lotus']);
  });
});

describe('A search near a place', () => {
  test('finds listings within the radius, nearest first', async () => {
    await seedBusinesses(
      createBusinessRecord('far', { ...place(52.53, 13.4), ...active }),
      createBusinessRecord('near', place(52.5201, 13.405)),
      createBusinessRecord('away', place(52.9, 13.4)),
      createBusinessRecord('nowhere', { latitude: 52.52 }),
    );
    const near = '52.52,13.405';
    expect(await searchAll({ near })).toEqual(['near', 'far']);
    expect(await searchAll({ near, active: 'true' })).toEqual(['far']);
    expect(await searchAll({ near, radius: '100' })).toEqual(['near']);
    expect(await searchAll({ near, radius: '100000' })).toEqual(['near', 'far', 'away']);
    expect(await searchAll({ near: '52,179.9999' })).toEqual([]);
  });

  test('finds listings across the date line and the pole', async () => {
    await seedBusinesses(
      createBusinessRecord('west', place(-16.5, -179.99)),
      createBusinessRecord('east', place(-16.5, 179.98)),
      createBusinessRecord('beyond', place(89.99, -100)),
    );
    expect(await searchAll({ near: '-16.5,180' })).toEqual(['west', 'east']);
    expect(await searchAll({ near: '89.99,80' })).toEqual(['beyond']);
  });
});

/** Returns the test table with a client whose calls fail from batch write number `from` onward. */
function createFailingTable(from: number): StageTable {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  let writes = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'BatchWriteItemCommand') writes += 1;
        if (writes >= from) throw new Error('stopped');
        return next(args);
      },
    { step: 'initialize' },
  );
  return { ...businessTable, client };
}

describe('Searching businesses', () => {
  const words = ['Alpha', 'Beta', 'Gámma', 'al', 'β'];
  const listings = fc.uniqueArray(
    fc.record({
      public_id: fc.stringMatching(/^[a-z0-9.|-]{1,4}$/),
      title: fc.option(
        fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((all) => all.join(' ')),
      ),
      industry: fc.option(fc.constantFrom(...words)),
      status: fc.constantFrom('active', 'closed'),
      latitude: fc.option(fc.integer({ min: -3, max: 3 }).map((n) => n / 100)),
      longitude: fc.option(fc.integer({ min: -3, max: 3 }).map((n) => n / 100)),
    }),
    { selector: ({ public_id }) => public_id, maxLength: 30, size: 'max' },
  );
  type Listing = typeof listings extends fc.Arbitrary<(infer One)[]> ? One : never;

  const searches = fc.oneof(
    fc.record({ industry: fc.constantFrom(...words) }),
    fc.record({ q: fc.constantFrom(...words, 'alpha be', 'beta g', 'al al') }),
    fc.record({
      near: fc.constantFrom('0,0', '0.01,-0.02'),
      radius: fc.constantFrom('1500', '9000'),
    }),
  );

  /** Reports whether a listing matches a search, without using the index. */
  const isFound = (query: Query, { title, industry, latitude, longitude }: Listing): boolean => {
    if (query.industry)
      return !!industry && normalizeText(industry) === normalizeText(query.industry);
    if (query.q) return ` ${normalizeText(title ?? '')}`.includes(` ${normalizeText(query.q)}`);
    const [lat = 0, lng = 0] = (query.near ?? '').split(',').map(Number);
    if (latitude === null || longitude === null) return false;
    return toMeters(latitude - lat, longitude - lng) <= Number(query.radius);
  };
  /**
   * Returns a distance in meters. Near the equator, a flat-surface approximation is accurate
   * enough.
   */
  const toMeters = (...degrees: number[]) => Math.hypot(...degrees) * 111_195;

  test('finds exactly the matching listings after several imports, in pages in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(listings, { minLength: 1, maxLength: 3 }),
        searches,
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async (imports, query, onlyActive, limit) => {
          await emptyTable();
          const stored = new Map<string, Listing>();
          for (const batch of imports) {
            await seedBusinesses(
              ...batch.map(({ public_id, ...details }) => createBusinessRecord(public_id, details)),
            );
            for (const one of batch) stored.set(one.public_id, one);
          }
          const expected = [...stored.values()].filter(
            (one) => isFound(query, one) && (!onlyActive || one.status === 'active'),
          );
          const sent = { ...query, limit: String(limit), ...(onlyActive && { active: 'true' }) };
          const forwards = await readPages(sent);
          expect(forwards.toSorted()).toEqual(expected.map(({ public_id }) => public_id).sort());
          const last = forwards.at(-1);
          if (last !== undefined) expect(await readPages(sent, last)).toEqual(forwards);
        },
      ),
      { numRuns: selectSize(6, 100) },
    );
  });

  test('reads an index without outdated entries after an import has changed a listing', async () => {
    const before = { title: 'Green Lotus', industry: 'yoga', ...place(1, 1), ...active };
    await seedBusinesses(createBusinessRecord('lotus', before));
    await seedBusinesses(createBusinessRecord('lotus', { title: 'Lotus', industry: 'bank' }));
    const keys = async (partition: string) =>
      (
        await queryAll({
          KeyConditionExpression: 'pk = :partition',
          ExpressionAttributeValues: { ':partition': partition },
        })
      ).map(({ sk }) => sk);
    expect([
      await keys('BUSINESS_TITLE#g'),
      await keys('BUSINESS_TITLE#l'),
      await keys('BUSINESS_INDUSTRY#yoga'),
      await keys('BUSINESS_INDUSTRY#bank'),
    ]).toEqual([[], ['lotus#lotus'], [], ['lotus']]);
  });

  test('finds a listing once if its new title repeats words, even if the import failed at any write', async () => {
    const record = (title: string) => createBusinessRecord('b', { title, ...active });
    for (const at of [1, 2, 3]) {
      await emptyTable();
      await saveBusinesses(businessTable, [record('Yoga Fun')]);
      const failing = createFailingTable(at);
      const isStopped = saveBusinesses(failing, [record('Yoga Fan Yoga Fun')]).then(
        () => false,
        () => true,
      );
      expect([at, await isStopped]).toEqual([at, true]);
      expect([at, await searchAll({ q: 'yoga' })]).toEqual([at, ['b']]);
    }
    await saveBusinesses(businessTable, [record('Yoga Fan Yoga Fun')]);
    expect(await searchAll({ q: 'yoga' })).toEqual(['b']);
  });

  test('finds each listing once after an import that failed at any write, and no stale entries after the next import', async () => {
    const records = (title: string) =>
      Array.from({ length: 3 }, (_, n) => createBusinessRecord(`b${n}`, { title, ...active }));
    for (const at of [1, 2, 3]) {
      await emptyTable();
      await saveBusinesses(businessTable, records('Before'));
      const failing = createFailingTable(at);
      await expect(saveBusinesses(failing, records('After'))).rejects.toThrow('stopped');
      const found = [...(await searchAll({ q: 'before' })), ...(await searchAll({ q: 'after' }))];
      expect(found.sort()).toEqual(['b0', 'b1', 'b2']);
      await saveBusinesses(businessTable, records('After'));
      expect([await searchAll({ q: 'before' }), await searchAll({ q: 'after' })]).toEqual([
        [],
        ['b0', 'b1', 'b2'],
      ]);
    }
  });

  test.each<[Query, string, string]>([
    [{ near: '52.52' }, 'near', 'must be latitude and longitude'],
    [{ near: '91,0' }, 'near', 'must be latitude and longitude'],
    [{ near: '0,180.1' }, 'near', 'must be latitude and longitude'],
    [{ near: '1e1,0' }, 'near', 'must be latitude and longitude'],
    [{ near: '0,0', radius: '0' }, 'radius', 'must be an integer from 1 to 100000'],
    [{ near: '0,0', radius: '100001' }, 'radius', 'must be an integer from 1 to 100000'],
    [{ radius: '10' }, 'radius', 'must be combined with near'],
    [{ near: '0,0', industry: 'food' }, 'industry', 'must not be combined with near'],
    [{ industry: 'food', q: 'food' }, 'q', 'must not be combined with near or industry'],
    [{ q: '🎉' }, 'q', 'must contain a letter or a digit'],
    [{ q: 'x'.repeat(101) }, 'q', 'must be a string of 1 to 100 characters'],
    [
      { q: 'food', starting_after: 'unknown' },
      'starting_after',
      'public_id of a business in this list',
    ],
  ])('rejects %j and reports the parameter', async (query, param, message) => {
    expect(await refused(listBusinesses, { as: ann, query })).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param,
      message: expect.stringContaining(message),
    });
  });
});

test('A search skips 1,200 duplicate index entries with five table calls', async () => {
  const records = Array.from({ length: 1200 }, (_, n) =>
    createBusinessRecord(`b${String(n).padStart(5, '0')}`, { title: 'Dm Drogerie', ...active }),
  );
  await seedBusinesses(...records, createBusinessRecord('dye', { title: 'Dye', ...active }));
  const query = { q: 'd', active: 'true', starting_after: 'b01195' };
  expect(await search(query)).toEqual({
    ids: ['b01196', 'b01197', 'b01198', 'b01199', 'dye'],
    has_more: false,
  });
  expect([usage.table_calls, usage.read_units]).toEqual([5, 17.5]);
});

test('A search among 300 listings costs at most 11 table calls and 12 read units', async () => {
  const records = Array.from({ length: 300 }, (_, n) =>
    createBusinessRecord(`b${String(n).padStart(5, '0')}`, {
      title: `The Shop ${n}`,
      industry: 'retail',
      ...place(52.52 + (n % 53) / 5000, 13.405 + (n % 61) / 5000),
      ...active,
    }),
  );
  await seedBusinesses(...records);
  const costs: object[] = [];
  for (const query of [{ industry: 'retail' }, { q: 'the shop' }, { near: '52.525,13.41' }]) {
    const { ids } = await search({ ...query, active: 'true' });
    const { table_calls, read_units } = usage;
    costs.push({ found: ids.length, table_calls, read_units });
  }
  expect(costs).toEqual([
    { found: 10, table_calls: 2, read_units: 6 },
    { found: 10, table_calls: 2, read_units: 6 },
    { found: 10, table_calls: 11, read_units: 12 },
  ]);
});
