import type { Business, BusinessRecord, CamelBusiness } from './business.ts';

/** The snake_case field set: all of the record but what only the other one shows. */
export const snakeCase = ({
  id,
  tags,
  startDate,
  endDate,
  timezone,
  host,
  guest,
  date,
  ...business
}: BusinessRecord): Business => business;

/** The camelCase field set. A listing without an `id` of its own is known by its public one. */
export const camelCase = (record: BusinessRecord): CamelBusiness => ({
  id: record.id ?? record.public_id,
  publicId: record.public_id,
  slug: record.slug,
  title: record.title,
  type: record.type,
  tags: record.tags,
  image: record.image,
  startDate: record.startDate,
  endDate: record.endDate,
  timezone: record.timezone,
  host: record.host,
  guest: record.guest,
  links: record.business_links,
  address: record.address,
  addressInfo: record.address_info && camelCaseAddress(record.address_info),
  latitude: record.latitude,
  longitude: record.longitude,
  claimed: record.is_claimed,
  status: record.status,
  date: record.date,
  version: record.version,
  authorId: record['author-id'],
});

const camelCaseAddress = ({
  country_code,
  ...address
}: NonNullable<BusinessRecord['address_info']>): CamelBusiness['addressInfo'] => ({
  ...address,
  country: country_code,
});

/** The two ways to show a listing, by the names that a client asks for them. */
export const businessFormats: Record<
  'snake_case' | 'camelCase',
  (record: BusinessRecord) => Business | CamelBusiness
> = { snake_case: snakeCase, camelCase };
