import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { listBusinesses } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { businessKey } from '../../../shared/table/keys/business-keys.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, eve } from '../../support/people/callers.ts';
import {
  businessTable,
  createBusinessRecord,
  seedBusinesses,
} from '../../support/seeds/seed-businesses.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import '../../support/setup/use-table.ts';

type Query = Record<string, string>;

const Listed = v.object({
  has_more: v.boolean(),
  data: v.array(
    v.union([
      v.pipe(
        v.looseObject({ public_id: v.string() }),
        v.transform((one) => one.public_id),
      ),
      v.pipe(
        v.looseObject({ publicId: v.string() }),
        v.transform((one) => one.publicId),
      ),
    ]),
  ),
});

async function list(query: Query = {}) {
  const { body, headers } = await request(listBusinesses, { as: ann, query });
  const { has_more, data } = v.parse(Listed, body);
  return { has_more, ids: data, link: headers.Link };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `b${String(from + n).padStart(2, '0')}`);

const complete = {
  public_id: 'a-harbour_kiosk',
  slug: 'harbour-kiosk',
  title: 'Kiosk am Hafen „Zur Möwe“',
  description: 'Fischbrötchen und Kaffee',
  type: 'kiosk',
  industry: 'food',
  address: 'Am Kai 4, 20457 Hamburg',
  address_info: {
    borough: 'Hamburg-Mitte',
    address: 'Am Kai 4',
    city: 'Hamburg',
    zip: '20457',
    region: 'Hamburg',
    country_code: 'DE',
  },
  phone: '+49 40 5550 199',
  mail: 'moin@möwe.example',
  logo: 'moewe.svg',
  image: 'https://images.example.com/moewe.jpg',
  media: ['https://images.example.com/1.jpg', 'https://images.example.com/2.mp4'],
  latitude: 53.5413,
  longitude: 9.9841,
  attributes: { takeaway: true, payment: { cards: ['girocard'], cash: null }, seats: 1.5 },
  work_time: {
    monday: null,
    tuesday: [
      { open: { hour: 6, minute: 30 }, close: { hour: 11, minute: 0 } },
      { open: { hour: 16, minute: 0 }, close: { hour: 24, minute: 0 } },
    ],
    wednesday: null,
    thursday: null,
    friday: null,
    saturday: [{ open: { hour: 22, minute: 0 }, close: { hour: 2, minute: 0 } }],
    sunday: null,
  },
  business_links: [{ type: 'call', title: 'Anrufen', url: 'tel:+49405550199' }],
  person: [{ 'person-id': 'p-1', position: 'Inhaberin' }],
  created: '2020-05-01T08:00:00Z',
  last_updated: '2026-02-11',
  price_level: 'inexpensive',
  employees_count: 3,
  founded: 1978,
  is_claimed: true,
  'brand-id': 'brand-7',
  'company-id': 'company-7',
  status: 'active',
  time_update: '2026-02-11T10:00:00Z',
  version: '12',
  'author-id': 'author-7',
};

const onlyInCamelCase = {
  id: '7001',
  tags: ['fish', 'coffee'],
  startDate: '2026-05-01',
  endDate: '2026-09-30',
  timezone: 'Europe/Berlin',
  host: [{ type: 'company', publicId: 'company-7' }],
  guest: ['person-9'],
  date: '2026-02-11T11:00:00',
};

const others = numbers(1, 12);
const isActive = (_: string, n: number) => n % 3 !== 2;

describe('Listing businesses', () => {
  beforeAll(async () => {
    await emptyTable();
    await seedBusinesses(
      createBusinessRecord('a-harbour_kiosk', { ...complete, ...onlyInCamelCase }),
      ...others.map((id, n) =>
        createBusinessRecord(id, { status: isActive(id, n) ? 'active' : 'closed' }),
      ),
    );
  });

  test('returns ten businesses by default, sorted by public id, and reports that there are more', async () => {
    expect(await list()).toMatchObject({
      has_more: true,
      ids: ['a-harbour_kiosk', ...numbers(1, 9)],
    });
  });

  test('returns the snake_case field set with the imported values', async () => {
    const { body } = await request(listBusinesses, { as: ann, query: { limit: '1' } });
    expect(body).toEqual({ has_more: true, data: [complete] });
  });

  test('returns the camelCase field set if format is camelCase', async () => {
    const query = { limit: '1', format: 'camelCase' };
    const { body } = await request(listBusinesses, { as: ann, query });
    const { slug, title, type, image, address, latitude, longitude, status, version } = complete;
    expect(body).toEqual({
      has_more: true,
      data: [
        {
          ...onlyInCamelCase,
          publicId: 'a-harbour_kiosk',
          ...{ slug, title, type, image, address, latitude, longitude, status, version },
          links: complete.business_links,
          addressInfo: {
            borough: 'Hamburg-Mitte',
            address: 'Am Kai 4',
            zip: '20457',
            city: 'Hamburg',
            region: 'Hamburg',
            country: 'DE',
          },
          claimed: true,
          authorId: 'author-7',
        },
      ],
    });
  });

  test('returns missing values as null, and missing lists as empty lists', async () => {
    const listed = async (format: string) => {
      const query = { starting_after: 'b02', limit: '1', format };
      return (await request(listBusinesses, { as: ann, query })).body;
    };
    expect(await listed('snake_case')).toEqual({
      has_more: true,
      data: [
        {
          ...Object.fromEntries(Object.keys(complete).map((name) => [name, null])),
          public_id: 'b03',
          status: 'closed',
          media: [],
          business_links: [],
          person: [],
        },
      ],
    });
    expect(await listed('camelCase')).toEqual({
      has_more: true,
      data: [
        {
          ...{ id: 'b03', publicId: 'b03', status: 'closed' },
          ...{ tags: [], host: [], guest: [], links: [] },
          ...{ slug: null, title: null, type: null, image: null, startDate: null, endDate: null },
          ...{ timezone: null, address: null, addressInfo: null, latitude: null, longitude: null },
          ...{ claimed: null, date: null, version: null, authorId: null },
        },
      ],
    });
  });

  test.each<[string, Query, boolean, string[]]>([
    ['a short last page', { limit: '9', starting_after: 'b10' }, false, numbers(11, 12)],
    ['the page before a listing', { limit: '3', ending_before: 'b09' }, true, numbers(6, 8)],
    ['after a nonexistent listing', { limit: '2', starting_after: 'b05.5' }, true, ['b06', 'b07']],
    ['before a nonexistent listing', { limit: '2', ending_before: 'b05.5' }, true, ['b04', 'b05']],
    ['after a cursor with a position', { limit: '1', starting_after: 'b07~9' }, true, ['b08']],
    [
      'active listings after an inactive one',
      { active: 'true', limit: '4', starting_after: 'b03' },
      true,
      ['b04', 'b05', 'b07', 'b08'],
    ],
    [
      'active listings before a cursor',
      { active: 'true', limit: '3', ending_before: 'b11' },
      true,
      ['b07', 'b08', 'b10'],
    ],
    ['the last active listings', { active: 'true', starting_after: 'b10' }, false, ['b11']],
    [
      'all listings if active is false',
      { active: 'false', limit: '13' },
      false,
      ['a-harbour_kiosk', ...others],
    ],
  ])('returns pages in both directions: %s', async (_, query, has_more, ids) => {
    const { link, ...page } = await list(query);
    expect(page).toEqual({ has_more, ids });
  });

  test('returns next links that lead to the last page and contain the filter and the format', async () => {
    let query: Query | undefined = { active: 'true', format: 'snake_case', limit: '4' };
    const seen: string[][] = [];
    while (query) {
      const { ids, link = '' } = await list(query);
      seen.push(ids);
      const address = /<([^>]*)>; rel="next"/.exec(link)?.[1];
      query = address ? Object.fromEntries(new URL(address).searchParams) : undefined;
    }
    const active = ['a-harbour_kiosk', ...others.filter(isActive)];
    expect(seen).toEqual([active.slice(0, 4), active.slice(4, 8), active.slice(8)]);
  });

  test('continues in both directions from a deleted business', async () => {
    await seedBusinesses(createBusinessRecord('b05-gone', { status: 'active' }));
    expect((await list({ limit: '1', starting_after: 'b05' })).ids).toEqual(['b05-gone']);
    const { client, name: TableName } = businessTable;
    await client.send(new DeleteCommand({ TableName, Key: businessKey('b05-gone') }));

    for (const active of ['true', 'false']) {
      expect(await list({ active, limit: '2', starting_after: 'b05-gone' })).toMatchObject({
        ids: active === 'true' ? ['b07', 'b08'] : ['b06', 'b07'],
      });
      expect(await list({ active, limit: '2', ending_before: 'b05-gone' })).toMatchObject({
        ids: ['b04', 'b05'],
      });
    }
  });

  test('returns the same page to every caller, and stores nothing about the caller', async () => {
    const [one, other] = await Promise.all(
      [ann, eve].map((as) => request(listBusinesses, { as, query: {} })),
    );
    expect(one?.body).toEqual(other?.body);
    const { client, name: TableName } = businessTable;
    const stored = await client.send(new GetCommand({ TableName, Key: contactKey('ann') }));
    expect(stored.Item).toBeUndefined();
  });

  test.each([
    [
      'a cursor that is not a public id',
      { starting_after: 'a b' },
      'starting_after',
      'must be the public_id of a business',
    ],
    [
      'a cursor that is too long',
      { ending_before: 'x'.repeat(129) },
      'ending_before',
      'must be the public_id of a business',
    ],
    [
      'a cursor that is only a position',
      { starting_after: '~1' },
      'starting_after',
      'must be the public_id of a business',
    ],
    ['an unknown format', { format: 'kebab-case' }, 'format', 'must be snake_case or camelCase'],
    ['an empty format', { format: '' }, 'format', 'must be snake_case or camelCase'],
    ['a non-boolean value of active', { active: 'yes' }, 'active', 'must be true or false'],
  ])('with %s is rejected', async (_, query, param, rule) => {
    expect(await refused(listBusinesses, { as: ann, query })).toEqual(invalidError(param, rule));
  });
});

describe('The cost of listing businesses', () => {
  beforeAll(emptyTable);

  test.each([{}, { active: 'true' }])(
    'is one table call and 1.5 read units for ten listings of one kilobyte, with the query %j',
    async (query) => {
      const description = 'word '.repeat(180);
      const ids = Array.from({ length: 30 }, (_, n) => `c${n}`);
      await seedBusinesses(
        ...ids.map((id) => createBusinessRecord(id, { description, status: 'active' })),
      );
      await list({ starting_after: 'c', ...query });
      const { table_calls, read_units, write_units } = usage;
      expect([table_calls, read_units, write_units]).toEqual([1, 1.5, 0]);
    },
  );

  describe('when listings are large', () => {
    /** Read units per listing. The table returns three listings per call. */
    const unitsOfOne = 43;
    const ids = Array.from({ length: 20 }, (_, n) => `d${String(n).padStart(2, '0')}`);
    beforeAll(async () => {
      const description = 'x'.repeat(unitsOfOne * 8 * 1024);
      await seedBusinesses(
        ...ids.map((id) => createBusinessRecord(id, { description, status: 'active' })),
      );
    });

    test.each([{}, { active: 'true' }])(
      'includes only the page and one further listing for the query %j',
      async (query) => {
        const page = await list({ ...query, starting_after: 'd', limit: '7' });
        expect(page).toMatchObject({ has_more: true, ids: ids.slice(0, 7) });
        expect(Math.floor(usage.read_units / unitsOfOne)).toBe(8);
      },
    );

    test('includes the listings that fit in the reply and one more: 15 listings are read and 14 returned', async () => {
      const page = await list({ starting_after: 'd', limit: '100' });
      expect(page).toMatchObject({ has_more: true, ids: ids.slice(0, 14) });
      expect(Math.floor(usage.read_units / unitsOfOne)).toBe(15);
    });

    test('includes the whole list if the selected fields fit in the reply', async () => {
      const page = await list({ starting_after: 'd', limit: '100', format: 'camelCase' });
      expect(page).toMatchObject({ has_more: false, ids });
    });
  });
});
