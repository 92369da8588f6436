import * as v from 'valibot';
import type { Business, BusinessRecord, CamelBusiness } from './business.ts';

/** Converts a listing to the snake_case field set. */
export const toSnakeCaseBusiness = ({
  id,
  tags,
  startDate,
  endDate,
  timezone,
  host,
  guest,
  date,
  auto_reply,
  ...business
}: BusinessRecord): Business => business;

/**
 * Converts a listing to the camelCase field set. If the listing has no `id`, uses the public id.
 */
export const toCamelCaseBusiness = (record: BusinessRecord): CamelBusiness => ({
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
  addressInfo: record.address_info && toCamelCaseAddress(record.address_info),
  latitude: record.latitude,
  longitude: record.longitude,
  claimed: record.is_claimed,
  status: record.status,
  date: record.date,
  version: record.version,
  authorId: record['author-id'],
});

const toCamelCaseAddress = ({
  country_code,
  ...address
}: NonNullable<BusinessRecord['address_info']>): CamelBusiness['addressInfo'] => ({
  ...address,
  country: country_code,
});

export const businessFormats: Record<
  'snake_case' | 'camelCase',
  (record: BusinessRecord) => Business | CamelBusiness
> = { snake_case: toSnakeCaseBusiness, camelCase: toCamelCaseBusiness };

/** The query parameter that selects the field set. */
export const format = v.optional(
  v.pipe(
    v.picklist(['snake_case', 'camelCase'], 'must be snake_case or camelCase'),
    v.description('Field set of the reply.'),
  ),
  'snake_case',
);
