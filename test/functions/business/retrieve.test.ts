import { beforeAll, describe, expect, test } from '@jest/globals';
import { listBusinesses, retrieveBusiness } from '../../../shared/contract/operations.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, eve } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import '../../support/setup/use-table.ts';

const path = { public_id: 'b@1' };
const record = createBusinessRecord('b@1', { title: 'Kiosk', status: 'active' });

describe('Retrieving a business', () => {
  beforeAll(async () => {
    await emptyTable();
    await seedBusinesses(record, createBusinessRecord('b@2', { status: 'closed' }));
  });

  test.each(['snake_case', 'camelCase'])(
    'returns the same %s fields as the list to every caller',
    async (format) => {
      const query = { format };
      const page = await ok(listBusinesses, { as: ann, query: { format, limit: '1' } });
      for (const as of [ann, eve]) {
        expect(await ok(retrieveBusiness, { as, path, query })).toEqual(page.data[0]);
      }
    },
  );

  test('returns an inactive listing', async () => {
    const inactive = { as: ann, path: { public_id: 'b@2' } };
    expect(await ok(retrieveBusiness, inactive)).toMatchObject({ status: 'closed' });
  });

  test('returns 304 for the ETag of the same field set, until the listing changes', async () => {
    const retrieve = async (format: string, etag?: string) => {
      const headers = etag === undefined ? {} : { 'If-None-Match': etag };
      const reply = await request(retrieveBusiness, { as: ann, path, query: { format }, headers });
      return { status: reply.status, etag: reply.headers.ETag };
    };
    const { etag } = await retrieve('snake_case');
    expect(await retrieve('snake_case', etag)).toEqual({ status: 304, etag });
    expect(await retrieve('camelCase', etag)).toMatchObject({ status: 200 });
    await seedBusinesses({ ...record, title: 'Café' });
    expect(await retrieve('snake_case', etag)).toMatchObject({ status: 200 });
    await seedBusinesses(record);
  });

  test('returns 404 for an unknown id', async () => {
    const unknown = { as: ann, path: { public_id: 'b@3' } };
    const error = { status: 404, code: 'not_found', param: 'public_id' };
    expect(await refused(retrieveBusiness, unknown)).toMatchObject(error);
  });

  test.each([
    ['public_id', { path: { public_id: 'a b' } }],
    ['format', { path, query: { format: 'kebab-case' } }],
  ])('rejects an invalid %s', async (param, call) => {
    const error = { status: 400, code: 'parameter_invalid', param };
    expect(await refused(retrieveBusiness, { as: ann, ...call })).toMatchObject(error);
  });
});
