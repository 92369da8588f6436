import { join } from 'node:path';
import { checkRecords } from '../../lib/businesses/check-records.ts';
import { importBusinesses } from '../../lib/businesses/import-businesses.ts';
import { recordsOf } from '../../lib/businesses/source-records.ts';
import { readSource } from '../../lib/businesses/source-text.ts';
import type { Cloud } from '../../lib/local/cloud.ts';
import { localService } from '../../lib/running/stage.ts';
import { openTable } from '../../lib/running/table.ts';
import type { BusinessRecord } from '../../shared/contract/business.ts';

const file = join(import.meta.dirname, '../../demo/businesses.ndjson');

/** Imports the demo's businesses into a local cloud that runs, as the command does, and gives their records. */
export async function importDemoBusinesses({
  tableEndpoint,
  tableName,
}: Pick<Cloud, 'tableEndpoint' | 'tableName'>): Promise<BusinessRecord[]> {
  const table = openTable(tableName, localService(tableEndpoint));
  await importBusinesses({ file, table });
  table.client.destroy();
  return checkRecords(recordsOf(await readSource(file)).records).businesses;
}
