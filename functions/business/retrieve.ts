import { notFound } from '../../shared/api-error.ts';
import { businessFormats } from '../../shared/contract/business/business-formats.ts';
import { retrieveBusiness } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { expandBusiness } from '../../shared/opening-hours.ts';
import { getBusiness } from '../../shared/table/businesses/get-business.ts';

export const handler = serve(retrieveBusiness, async ({ path, query }) => {
  const business = await getBusiness(path.public_id);
  if (!business) throw notFound('public_id');
  const expansion = expandBusiness(business, query.expand);
  return { reply: businessFormats[query.format](business), expansion };
});
