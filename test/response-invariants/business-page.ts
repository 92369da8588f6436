import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { pageParameters } from '../../shared/contract/schema/list-schema.ts';

const Page = v.object({
  has_more: v.boolean(),
  data: v.array(v.record(v.string(), v.unknown())),
});

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Returns the expected page of the list of businesses. Assumes that all records fit into one reply.
 */
export function expectedBusinesses(records: readonly BusinessRecord[], query: Query) {
  const { active, format, limit, starting_after, ending_before } = query;
  const show = format === 'camelCase' ? businessFormats.camelCase : businessFormats.snake_case;
  const count = Number(limit ?? pageParameters.limit.default);
  const listed = records
    .filter(({ status }) => active !== 'true' || status === 'active')
    .filter(({ public_id }) => starting_after === undefined || public_id > starting_after)
    .filter(({ public_id }) => ending_before === undefined || public_id < ending_before)
    .toSorted((a, b) => (a.public_id < b.public_id ? -1 : 1));
  const page = ending_before === undefined ? listed.slice(0, count) : listed.slice(-count);
  return { has_more: listed.length > count, data: page.map(show) };
}

/**
 * Reports whether the page matches the records. With a search, checks only the number and fields of
 * the businesses; search.test.ts checks their selection and order.
 */
export function isBusinessPage(
  records: readonly BusinessRecord[],
  query: Query,
  body: unknown,
): boolean {
  if (!v.is(Page, body)) return false;
  // `opening` depends on the current time. opening-hours.property.test.ts checks it.
  const data = body.data.map(({ opening: _, ...business }) => business);
  if (query.near === undefined && query.industry === undefined && query.q === undefined) {
    return isDeepStrictEqual({ ...body, data }, toJson(expectedBusinesses(records, query)));
  }
  const { active, format, limit = String(pageParameters.limit.default) } = query;
  const all = { active, format, limit: String(records.length) };
  const permitted = expectedBusinesses(records, all).data.map(toJson);
  return (
    data.length <= Number(limit) &&
    data.every((shown) => permitted.some((one) => isDeepStrictEqual(shown, one)))
  );
}

const toJson = (value: object): unknown => JSON.parse(JSON.stringify(value));
