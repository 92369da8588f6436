import * as v from 'valibot';
import { ExternalId } from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';
import {
  AnyInteger,
  AnyUrl,
  AutoReply,
  arrayOf,
  Count,
  CountryCode,
  degrees,
  EmailAddress,
  FreeForm,
  HttpUrl,
  LocalTime,
  PriceLevel,
  strictRecord,
  Text,
} from './business-field-types.ts';
import { opening } from './opening.ts';
import { WorkTime } from './work-time.ts';

const Link = strictRecord({
  type: v.nullable(Text),
  title: v.nullable(Text),
  url: v.nullable(AnyUrl),
});

const snakeCaseFields = {
  public_id: ExternalId,
  slug: v.nullable(Text),
  title: v.nullable(Text),
  description: v.nullable(Text),
  type: v.nullable(Text),
  industry: v.nullable(Text),
  address: v.nullable(Text),
  address_info: v.nullable(
    strictRecord({
      borough: v.nullable(Text),
      address: v.nullable(Text),
      city: v.nullable(Text),
      zip: v.nullable(Text),
      region: v.nullable(Text),
      country_code: v.nullable(CountryCode),
    }),
  ),
  phone: v.nullable(Text),
  mail: v.nullable(EmailAddress),
  logo: v.nullable(Text),
  image: v.nullable(HttpUrl),
  media: arrayOf(HttpUrl),
  latitude: v.nullable(degrees(90)),
  longitude: v.nullable(degrees(180)),
  attributes: v.nullable(FreeForm),
  work_time: v.nullable(WorkTime),
  business_links: arrayOf(Link),
  person: arrayOf(strictRecord({ 'person-id': v.nullable(Text), position: v.nullable(Text) })),
  created: v.nullable(Text),
  last_updated: v.nullable(Text),
  price_level: v.nullable(PriceLevel),
  employees_count: v.nullable(Count),
  founded: v.nullable(AnyInteger),
  is_claimed: v.nullable(v.boolean('must be true or false')),
  'brand-id': v.nullable(Text),
  'company-id': v.nullable(Text),
  status: v.nullable(Text),
  time_update: v.nullable(Text),
  version: v.nullable(Text),
  'author-id': v.nullable(Text),
};

const camelCaseOnlyFields = {
  id: v.nullable(Text),
  tags: arrayOf(Text),
  startDate: v.nullable(Text),
  endDate: v.nullable(Text),
  timezone: v.nullable(Text),
  host: arrayOf(strictRecord({ type: v.nullable(Text), publicId: v.nullable(Text) })),
  guest: arrayOf(Text),
  date: v.nullable(LocalTime),
};

/** Fields that replies omit. */
const importOnlyFields = { auto_reply: v.nullable(AutoReply) };

/** A stored listing, from which both field sets derive: see business-formats.ts. */
export const BusinessRecord = strictRecord({
  ...snakeCaseFields,
  ...camelCaseOnlyFields,
  ...importOnlyFields,
});
export type BusinessRecord = v.InferOutput<typeof BusinessRecord>;

export const Business = v.pipe(
  strictRecord({ ...snakeCaseFields, opening }),
  v.description(
    'A listing in the snake_case field set, which is the default. It has a `public_id`; the other set does not.',
  ),
);
export type Business = v.InferOutput<typeof Business>;

export const BusinessPage = listSchema(Business);

export const CamelBusiness = v.pipe(
  v.strictObject({
    id: Text,
    publicId: ExternalId,
    slug: v.nullable(Text),
    title: v.nullable(Text),
    type: v.nullable(Text),
    tags: v.array(Text),
    image: v.nullable(Text),
    startDate: v.nullable(Text),
    endDate: v.nullable(Text),
    timezone: v.nullable(Text),
    host: camelCaseOnlyFields.host,
    guest: v.array(Text),
    links: snakeCaseFields.business_links,
    address: v.nullable(Text),
    addressInfo: v.nullable(
      v.strictObject({
        borough: v.nullable(Text),
        address: v.nullable(Text),
        zip: v.nullable(Text),
        city: v.nullable(Text),
        region: v.nullable(Text),
        country: v.nullable(Text),
      }),
    ),
    latitude: v.nullable(degrees(90)),
    longitude: v.nullable(degrees(180)),
    claimed: v.nullable(v.boolean()),
    status: v.nullable(Text),
    date: v.nullable(LocalTime),
    version: v.nullable(Text),
    authorId: v.nullable(Text),
    opening,
  }),
  v.description(
    'A listing in the camelCase field set, returned with `format=camelCase`. It has a `publicId`; the other set does not.',
  ),
);
export type CamelBusiness = v.InferOutput<typeof CamelBusiness>;

export const CamelBusinessPage = listSchema(CamelBusiness);
