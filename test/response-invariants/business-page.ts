import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { pageParameters } from '../../shared/contract/schema/list-schema.ts';

const Page = v.object({
  has_more: v.boolean(),
  data: v.array(v.record(v.string(), v.unknown())),
});

/** Raw query parameters: all strings. */
type Query = Readonly<Record<string, string | undefined>>;

/**
 * Returns the exact expected page of the list of businesses, which depends only on the records, not
 * on the caller. All records together fit into the largest reply.
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
 * Reports whether the records allow the page. Without a search, exactly one page is right. With a
 * search, checks only the listings; search.test.ts compares order and selection.
 */
export function isBusinessPage(
  records: readonly BusinessRecord[],
  query: Query,
  body: unknown,
): boolean {
  if (!v.is(Page, body)) return false;
  // An expanded opening depends on the time: see opening-hours.property.test.ts.
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
