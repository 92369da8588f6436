import { describe, expect, test } from '@jest/globals';
import { listBusinesses, retrieveBusiness } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import '../../support/setup/use-table.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const always = [{ open: { hour: 0, minute: 0 }, close: { hour: 0, minute: 30 } }];
const work_time = {
  ...{ monday: always, tuesday: always, wednesday: always, thursday: always },
  ...{ friday: always, saturday: always, sunday: always },
};
const query = { 'expand[]': 'opening' };

describe('Expanding the opening of a business', () => {
  test('returns whether the business is open and when it next opens or closes, in both field sets and in lists', async () => {
    const time = createVirtualClock();
    await seedBusinesses(createBusinessRecord('bar', { work_time, timezone: 'UTC' }));
    time.pass(day - (time.now() % day));
    const midnight = time.now() / 1000;
    const path = { public_id: 'bar' };
    const reads = [
      async () => await ok(retrieveBusiness, { as: ann, path, query }),
      async () =>
        await ok(retrieveBusiness, { as: ann, path, query: { ...query, format: 'camelCase' } }),
      async () => (await ok(listBusinesses, { as: ann, query })).data[0],
    ];
    for (const read of reads)
      expect((await read())?.opening).toEqual({
        ...{ open_now: true, closes_at: midnight + 30 * 60, opens_at: null },
      });
    time.pass(30 * minute);
    for (const read of reads)
      expect((await read())?.opening).toEqual({
        ...{ open_now: false, closes_at: null, opens_at: midnight + day / 1000 },
      });
  });

  test('returns null if the time zone is missing or unknown, and adds no table calls or read units', async () => {
    await seedBusinesses(
      createBusinessRecord('shop', { work_time }),
      createBusinessRecord('store', { work_time, timezone: 'Middle/Earth' }),
    );
    const { data } = await ok(listBusinesses, { as: ann, query: { ...query, limit: '100' } });
    const { table_calls, read_units } = { ...usage };
    const find = (id: string) => data.find((one) => 'public_id' in one && one.public_id === id);
    expect([find('shop')?.opening, find('store')?.opening]).toEqual([null, null]);
    await ok(listBusinesses, { as: ann, query: { limit: '100' } });
    expect([usage.table_calls, usage.read_units]).toEqual([table_calls, read_units]);
  });

  test('returns 200 even if the ETag matches, because the ETag does not cover the opening', async () => {
    await seedBusinesses(createBusinessRecord('club', { work_time, timezone: 'UTC' }));
    const path = { public_id: 'club' };
    const { headers } = await request(retrieveBusiness, { as: ann, path, query: {} });
    const again = { as: ann, path, headers: { 'If-None-Match': headers.ETag ?? '' } };
    expect((await request(retrieveBusiness, { ...again, query: {} })).status).toBe(304);
    expect((await request(retrieveBusiness, { ...again, query })).status).toBe(200);
  });
});
