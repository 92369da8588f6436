import { notFound } from '../../shared/api-error.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { retrieveBusiness } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { parseBusinessItem } from '../../shared/table/businesses/business-item.ts';
import { getItem } from '../../shared/table/calls/access.ts';
import { businessKey } from '../../shared/table/keys/keys.ts';

export const handler = serve(retrieveBusiness, async ({ path, query }) => {
  const item = await getItem(businessKey(path.public_id));
  if (!item) throw notFound('public_id');
  return businessFormats[query.format](parseBusinessItem(item));
});
