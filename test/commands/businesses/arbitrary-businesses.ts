import fc from '../../support/setup/fast-check.ts';

const text = fc.string({ unit: 'grapheme' });
const textOrNull = fc.option(text);
const address = fc.webUrl({ withQueryParameters: true });

const alphabet = 'ABCxyz019_.:@|+=,-';
const publicId = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 2 });

const day = fc.option(
  fc.array(
    fc.record({
      open: fc.record({ hour: fc.nat(23), minute: fc.nat(59) }),
      close: fc.oneof(
        fc.record({ hour: fc.nat(23), minute: fc.nat(59) }),
        fc.constant({ hour: 24, minute: 0 }),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
);

const degrees = (limit: number) =>
  fc
    .double({ min: -limit, max: limit, noNaN: true })
    .map((value) => value + 0)
    .filter(isPlain);
const isPlain = (value: number) => value === 0 || Math.abs(value) > 1e-100;

/** Any JSON object without the top-level property names that the import rejects. */
const attributes = fc
  .dictionary(text, fc.jsonValue({ stringUnit: 'grapheme' }).map(asJson))
  .filter(
    (value) =>
      !['__proto__', 'constructor', 'prototype'].some((name) => Object.hasOwn(value, name)),
  );

/** Replaces -0 with 0, as JSON serialization does. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

export const arbitraryBusiness = fc.record(
  {
    public_id: publicId,
    slug: textOrNull,
    title: textOrNull,
    description: textOrNull,
    auto_reply: fc.option(fc.constantFrom('Closed.', 'Geschlossen\n😴')),
    type: textOrNull,
    industry: textOrNull,
    address: textOrNull,
    address_info: fc.option(
      fc.record({
        borough: textOrNull,
        address: textOrNull,
        city: textOrNull,
        zip: textOrNull,
        region: textOrNull,
        country_code: fc.option(fc.constantFrom('DE', 'JP', 'BR')),
      }),
    ),
    phone: textOrNull,
    mail: fc.option(fc.emailAddress()),
    logo: textOrNull,
    image: fc.option(address),
    media: fc.array(address, { maxLength: 3 }),
    latitude: fc.option(degrees(90)),
    longitude: fc.option(degrees(180)),
    attributes: fc.option(attributes),
    work_time: fc.option(
      fc.record({
        monday: day,
        tuesday: day,
        wednesday: day,
        thursday: day,
        friday: day,
        saturday: day,
        sunday: day,
      }),
    ),
    business_links: fc.array(
      fc.record({ type: textOrNull, title: textOrNull, url: fc.option(address) }),
      { maxLength: 3 },
    ),
    person: fc.array(fc.record({ 'person-id': textOrNull, position: textOrNull }), {
      maxLength: 3,
    }),
    created: textOrNull,
    last_updated: textOrNull,
    price_level: fc.option(
      fc.constantFrom('inexpensive', 'moderate', 'expensive', 'very_expensive'),
    ),
    employees_count: fc.option(fc.maxSafeNat()),
    founded: fc.option(fc.maxSafeInteger()),
    is_claimed: fc.option(fc.boolean()),
    'brand-id': textOrNull,
    'company-id': textOrNull,
    status: fc.option(fc.oneof(text, fc.constant('active'))),
    time_update: textOrNull,
    version: textOrNull,
    'author-id': textOrNull,
  },
  { requiredKeys: ['public_id'] },
);
export type ArbitraryBusiness =
  typeof arbitraryBusiness extends fc.Arbitrary<infer Record> ? Record : never;

/**
 * Returns the business as the API lists it in snake_case: without `auto_reply`, and with null or an
 * empty list for each omitted field.
 */
export const toSnakeCaseView = ({ auto_reply: _, ...business }: ArbitraryBusiness) => ({
  ...unset,
  ...business,
});

const lists = { media: [], business_links: [], person: [] };
const unset = {
  ...Object.fromEntries(
    'slug title description type industry address address_info phone mail logo image latitude longitude attributes work_time created last_updated price_level employees_count founded is_claimed brand-id company-id status time_update version author-id'
      .split(' ')
      .map((name) => [name, null]),
  ),
  ...lists,
};
