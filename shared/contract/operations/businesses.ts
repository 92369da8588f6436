import * as v from 'valibot';
import { Business, BusinessPage, CamelBusiness, CamelBusinessPage } from '../business/business.ts';
import { format } from '../business/business-formats.ts';
import { expandBusiness } from '../business/opening.ts';
import { checkSearchConflicts, search } from '../business/search.ts';
import type { Operation, ResourceDescriptions } from '../operation.ts';
import { ExternalId, flag } from '../schema/field-types.ts';
import { listQuery } from '../schema/list-schema.ts';

export const listBusinesses = {
  id: 'business/list',
  method: 'GET',
  path: '/v1/business',
  summary: 'List businesses',
  description:
    'Lists businesses sorted by public id, or the sorted results of one of three searches. The list is the same for every caller. `active` can be combined with every search.',
  query: v.pipe(
    listQuery({
      active: flag('Only listings whose `status` is `active`.'),
      ...search,
      format,
      expand: expandBusiness,
    }),
    checkSearchConflicts(),
  ),
  reply: v.union([BusinessPage, CamelBusinessPage]),
  status: 200,
  errors: ['parameter_invalid'],
  list: true,
  calls: {
    businesses: ['GetItem', 'BatchGetItem', 'Query'],
    activeBusinesses: ['Query'],
    businessEntries: ['Query'],
  },
} as const satisfies Operation;

export const retrieveBusiness = {
  id: 'business/retrieve',
  method: 'GET',
  path: '/v1/business/{public_id}',
  summary: 'Retrieve a business',
  description: 'Returns the listing, active or not. It is the same for every caller.',
  pathParameters: v.object({
    public_id: v.pipe(ExternalId, v.description('The `public_id` of the business.')),
  }),
  query: v.object({ format, expand: expandBusiness }),
  reply: v.union([Business, CamelBusiness]),
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: { businesses: ['GetItem'] },
} as const satisfies Operation;

const operations = [listBusinesses, retrieveBusiness] as const satisfies readonly Operation[];

export default {
  title: 'Business listings',
  operations,
  resources: {
    business: 'Business listings. They are the same for all callers.',
  } satisfies ResourceDescriptions<typeof operations>,
};
