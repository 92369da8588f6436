import * as v from 'valibot';
import { businessFormats } from '../../shared/contract/business-formats.ts';
import { listBusinesses } from '../../shared/contract/operations.ts';
import { OutsideId } from '../../shared/contract/values.ts';
import { parseCursor } from '../../shared/cursor.ts';
import { invalid } from '../../shared/errors.ts';
import { serve } from '../../shared/http/serve.ts';
import { mostFitting, type Paging, pageOf, pagingOf } from '../../shared/paging.ts';
import { readBusinesses } from '../../shared/table/businesses/list.ts';

export const handler = serve(listBusinesses, async ({ query }) => {
  const paging = pagingOf(query);
  const found = await readBusinesses({
    onlyActive: query.active,
    backwards: paging.backwards,
    from: publicIdOf(paging.cursor),
    count: paging.limit + 1,
  });
  const show = businessFormats[query.format];
  const page = pageOf(found, paging, ({ public_id }) => public_id, mostFitting(found.map(show)));
  return { ...page, data: page.data.map(show) };
});

/** The public id that a cursor names; it tells the place even when there is no such business any more. */
function publicIdOf(cursor: Paging['cursor']): string | undefined {
  if (!cursor) return undefined;
  const { id } = parseCursor(cursor.value);
  if (v.is(OutsideId, id)) return id;
  throw invalid(cursor.parameter, 'must be the public_id of a business');
}
