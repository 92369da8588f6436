import { describe, expect, test } from '@jest/globals';
import { checkRecords } from '../../../commands/businesses/check-records.ts';
import { formatFault } from '../../../commands/businesses/fault.ts';
import { parseRecords } from '../../../commands/businesses/parse-records.ts';

/** Returns the formatted faults of a file with one record per line. */
const findFaults = (...values: unknown[]) => {
  const text = values.map((value) => JSON.stringify(value)).join('\n');
  return checkRecords(parseRecords(text).records).faults.map((fault) => formatFault('f', fault));
};

const at = (hour: unknown, minute: unknown = 0) => ({ hour, minute });
const hours = (open: unknown, close: unknown) => ({ work_time: { friday: [{ open, close }] } });
const hour = "'work_time.friday.0";

describe('A business', () => {
  test.each<[string, object]>([
    ['only a public id', {}],
    [
      'only null values',
      { title: null, media: null, work_time: null, price_level: null, tags: null },
    ],
    [
      'any text as type, industry and status',
      { type: 'x y', industry: '', status: 'under the moon' },
    ],
    ['overnight hours', hours(at(22), at(2))],
    ['opening hours until midnight', hours(at(0), at(24))],
    ['opening hours to the minute', hours(at(9, 59), at(23, 59))],
    [
      'a link with any scheme',
      { business_links: [{ url: 'tel:+49123' }, { url: 'mailto:a@b.example' }] },
    ],
    ['an e-mail address in any script', { mail: '聯絡@例子.example' }],
    ['latitude -90 and longitude 180', { latitude: -90, longitude: 180 }],
    ['a date without seconds', { date: '2024-02-29T23:59' }],
    ['a date with fractions', { date: '2026-01-31T00:00:00.123456' }],
    ['a founding year before the common era', { founded: -300 }],
    [
      'attributes with any JSON values and names',
      { attributes: { a: [null, { b: 1e300 }], 'ключ #1': '' } },
    ],
    ['a long public id', { public_id: 'Aa0_.:@|+=,-'.padEnd(128, 'x') }],
  ])('may have %s', (_, details) => {
    expect(findFaults({ public_id: 'a', ...details })).toEqual([]);
  });

  test.each<[object, string]>([
    [
      { public_id: 'a~b' },
      "'public_id' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -",
    ],
    [{ public_id: '' }, "'public_id' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -"],
    [{ public_id: 7 }, "'public_id' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -"],
    [{ title: 5 }, "'title' must be a string"],
    [{ title: 'half \ud83d' }, "'title' must be well-formed Unicode"],
    [{ attributes: { deep: ['\udc00'] } }, "'attributes' must be well-formed Unicode"],
    [{ mail: 'ann' }, "'mail' must be an e-mail address"],
    [{ image: 'ftp://a.example/b.png' }, "'image' must be an http or https URL"],
    [{ image: 'https://' }, "'image' must be an http or https URL"],
    [{ image: ' https://a.example' }, "'image' must be an http or https URL"],
    [{ media: 'https://a.example/b.png' }, "'media' must be an array"],
    [{ media: ['https://a.example', null] }, "'media.1' must be an http or https URL"],
    [
      { business_links: [{ url: '/menu' }] },
      "'business_links.0.url' must be an absolute URL, such as https://… or tel:…",
    ],
    [{ address_info: [] }, "'address_info' must be an object"],
    [
      { address_info: { country_code: 'fr' } },
      "'address_info.country_code' must be an ISO 3166 code of two upper-case letters",
    ],
    [{ latitude: 90.1 }, "'latitude' must be a number from -90 to 90"],
    [{ longitude: '7' }, "'longitude' must be a number from -180 to 180"],
    [
      { price_level: 'cheap' },
      "'price_level' must be one of inexpensive, moderate, expensive, very_expensive",
    ],
    [{ employees_count: 1.5 }, "'employees_count' must be an integer of at least 0"],
    [{ employees_count: -1 }, "'employees_count' must be an integer of at least 0"],
    [{ founded: '1990' }, "'founded' must be an integer"],
    [{ is_claimed: 1 }, "'is_claimed' must be true or false"],
    [{ attributes: [] }, "'attributes' must be an object"],
    [
      { attributes: { constructor: 1 } },
      "'attributes' must not have a field named __proto__, constructor, prototype",
    ],
    [{ work_time: [] }, "'work_time' must be an object"],
    [{ work_time: { friday: {} } }, "'work_time.friday' must be an array"],
    [hours(at(24), at(24)), `${hour}.open.hour' must be an integer from 0 to 23`],
    [hours(at(9), at(24, 1)), `${hour}.close' must not be after 24:00`],
    [hours(at(9, 60), at(10)), `${hour}.open.minute' must be an integer from 0 to 59`],
    [hours(at(9), null), `${hour}.close' must be an object`],
    [hours('09:00', at(10)), `${hour}.open' must be an object`],
    [
      { date: '2026-01-01T09:00:00Z' },
      "'date' must be a local date and time without a time zone, such as 2026-03-01T09:30:00",
    ],
    [
      { date: '2026-02-30T09:00:00' },
      "'date' must be a local date and time without a time zone, such as 2026-03-01T09:30:00",
    ],
    [{ brand_id: 'x' }, "'brand_id' is not a field of a business: remove it"],
    [{ work_time: { Monday: null } }, "'work_time.Monday' is not a field of a business: remove it"],
    [{ description: 'x'.repeat(351 * 1024) }, 'the record must be at most 350 KB as JSON'],
  ])('with %j is rejected', (details, fault) => {
    expect(findFaults({ public_id: 'a', ...details })).toEqual([`f:1: ${fault}.`]);
  });

  test('must be an object with a valid public id', () => {
    expect(findFaults({ title: 'x' }, {})).toEqual([
      "f:1: 'public_id' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
      "f:2: 'public_id' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ]);
    const list = parseRecords('[\n5,\nnull,\n["a"]]').records;
    expect(checkRecords(list).faults.map((fault) => formatFault('f', fault))).toEqual([
      'f:2: the record must be an object.',
      'f:3: the record must be an object.',
      'f:4: the record must be an object.',
    ]);
  });
});

describe('Checking a file of businesses', () => {
  test('reports each repetition of a public id, even in invalid records', () => {
    const [first, other] = [{ public_id: 'a' }, { public_id: 'b', title: 7 }];
    expect(findFaults(first, other, first, other, first)).toEqual([
      "f:2: 'title' must be a string.",
      "f:3: 'public_id' must be unique: line 1 has the same value.",
      "f:4: 'title' must be a string.",
      "f:4: 'public_id' must be unique: line 2 has the same value.",
      "f:5: 'public_id' must be unique: line 1 has the same value.",
    ]);
  });

  test('reports each fault at the line of the field, or at the line of the record if the field is missing', () => {
    const text = `{
  "data": [
    {
      "public_id": "a",
      "latitude": 100,
      "colour": "red",
      "address_info": {
        "zip": 10115,
        "street": "x"
      },
      "size": 1
    },
    {
      "title": "nameless"
    }
  ]
}`;
    const { faults, businesses } = checkRecords(parseRecords(text).records);
    expect(businesses).toEqual([]);
    expect(faults).toEqual([
      { line: 8, field: 'address_info.zip', reason: 'must be a string' },
      { line: 5, field: 'latitude', reason: 'must be a number from -90 to 90' },
      ...[
        [6, 'colour'],
        [9, 'address_info.street'],
        [11, 'size'],
      ].map(([line, field]) => ({
        line,
        field,
        reason: 'is not a field of a business: remove it',
      })),
      {
        line: 13,
        field: 'public_id',
        reason: 'must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -',
      },
    ]);
  });

  test('sets missing optional fields and days without hours to null', () => {
    const record = {
      public_id: 'a',
      address_info: { city: 'Oslo' },
      work_time: { monday: [], sunday: [{ open: at(10), close: at(12) }] },
      person: [{ position: 'chef' }],
    };
    const [business] = checkRecords(parseRecords(JSON.stringify([record])).records).businesses;
    expect(business).toMatchObject({
      address_info: {
        ...toNulls('borough', 'address', 'zip', 'region', 'country_code'),
        city: 'Oslo',
      },
      work_time: {
        ...toNulls('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'),
        sunday: [{ open: at(10), close: at(12) }],
      },
      person: [{ 'person-id': null, position: 'chef' }],
    });
  });
});

const toNulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
