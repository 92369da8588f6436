import * as v from 'valibot';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { listBusinesses } from '../../shared/contract/operations.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';
import { serve } from '../../shared/http/serve.ts';
import { expandBusiness } from '../../shared/opening-hours.ts';
import { countFitting, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { queryBusinesses } from '../../shared/table/businesses/query-businesses.ts';

const rule = 'must be the public_id of a business';

export const handler = serve(listBusinesses, async ({ query }) => {
  const paging = toPaging(query);
  const toBusiness = (business: BusinessRecord) => ({
    ...businessFormats[query.format](business),
    ...expandBusiness(business, query.expand),
  });
  const businesses = await queryBusinesses({
    onlyActive: query.active,
    backwards: paging.backwards,
    // The cursor contains the position, so it works for a deleted business too.
    from: await resolveCursor(paging, rule, ({ id }) => (v.is(ExternalId, id) ? id : undefined)),
    count: paging.count,
    toReply: toBusiness,
  });
  const page = toPage(
    businesses,
    paging,
    ({ public_id }) => public_id,
    countFitting(businesses.map(toBusiness)),
  );
  return { ...page, data: page.data.map(toBusiness) };
});
