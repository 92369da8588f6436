import * as v from 'valibot';
import { businessFormats } from '../../shared/contract/business-formats.ts';
import { listBusinesses } from '../../shared/contract/operations.ts';
import { OutsideId } from '../../shared/contract/values.ts';
import { serve } from '../../shared/http/serve.ts';
import { pageOf, pagingOf, startOf } from '../../shared/paging.ts';
import { countFitting } from '../../shared/reply-size.ts';
import { queryBusinesses } from '../../shared/table/businesses/query-businesses.ts';

const rule = 'must be the public_id of a business';

export const handler = serve(listBusinesses, async ({ query }) => {
  const paging = pagingOf(query);
  const show = businessFormats[query.format];
  const found = await queryBusinesses({
    onlyActive: query.active,
    backwards: paging.backwards,
    // The cursor contains the position, so it works for a deleted business too.
    from: await startOf(paging, rule, ({ id }) => (v.is(OutsideId, id) ? id : undefined)),
    count: paging.limit + 1,
    toReply: show,
  });
  const page = pageOf(found, paging, ({ public_id }) => public_id, countFitting(found.map(show)));
  return { ...page, data: page.data.map(show) };
});
