import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { importBusinesses } from '../../../commands/businesses/import-businesses.ts';
import { businessTable } from '../../support/seeds/seed-businesses.ts';
import '../../support/setup/use-table.ts';

const file = join(import.meta.dirname, '../../../demo/businesses.ndjson');

test('Importing the demo file stores 60 businesses and reports no faults', async () => {
  expect(await importBusinesses({ file, table: businessTable })).toEqual({
    faults: [],
    saved: { new: 60, changed: 0, unchanged: 0 },
  });
});
