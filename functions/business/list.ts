import * as v from 'valibot';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { defaultRadius } from '../../shared/contract/business/search.ts';
import { listBusinesses } from '../../shared/contract/operations.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';
import { serve } from '../../shared/http/serve.ts';
import { expandBusiness } from '../../shared/opening-hours.ts';
import { countFitting, type Paging, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { getBusiness } from '../../shared/table/businesses/get-business.ts';
import { queryBusinesses } from '../../shared/table/businesses/query-businesses.ts';
import {
  type BusinessSearch,
  searchBusinesses,
  searchIndustry,
  searchNear,
  searchTitle,
} from '../../shared/table/businesses/search/search-businesses.ts';

type Query = v.InferOutput<typeof listBusinesses.query>;

export const handler = serve(listBusinesses, async ({ query }) => {
  const paging = toPaging(query);
  const toReply = (business: BusinessRecord) => ({
    ...businessFormats[query.format](business),
    ...expandBusiness(business, query.expand),
  });
  const { backwards, count } = paging;
  const range = { onlyActive: query.active, backwards, count, toReply };
  const search = toSearch(query);
  const businesses = search
    ? await searchBusinesses(search, { ...range, from: await readSearchCursor(paging, search) })
    : await queryBusinesses({ ...range, from: await readCursor(paging) });
  const fitting = countFitting(businesses.map(toReply));
  const page = toPage(businesses, paging, ({ public_id }) => public_id, fitting);
  return { ...page, data: page.data.map(toReply) };
});

function toSearch({ near, radius, industry, q }: Query): BusinessSearch | undefined {
  if (near) return searchNear(near, radius ?? defaultRadius);
  if (industry) return searchIndustry(industry);
  return q ? searchTitle(q) : undefined;
}

/** Reads a cursor of a list sorted by id. The cursor works even after its business is deleted. */
const readCursor = (paging: Paging) =>
  resolveCursor(paging, 'must be the public_id of a business', ({ id }) =>
    v.is(ExternalId, id) ? id : undefined,
  );

/**
 * Reads a cursor of a search. The business must still exist, because the position depends on its
 * data.
 */
const readSearchCursor = (paging: Paging, { toPosition }: BusinessSearch) =>
  resolveCursor(paging, 'must be the public_id of a business in this list', async ({ id }) => {
    const business = v.is(ExternalId, id) ? await getBusiness(id) : undefined;
    return business && toPosition(business);
  });
