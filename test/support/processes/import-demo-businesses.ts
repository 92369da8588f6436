import { join } from 'node:path';
import { checkRecords } from '../../../commands/businesses/check-records.ts';
import { importBusinesses } from '../../../commands/businesses/import-businesses.ts';
import { parseRecords } from '../../../commands/businesses/parse-records.ts';
import { readSource } from '../../../commands/businesses/source-text.ts';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { BusinessRecord } from '../../../shared/contract/business/business.ts';

const file = join(import.meta.dirname, '../../../demo/businesses.ndjson');

export async function importDemoBusinesses({
  tableEndpoint,
  tableName,
}: Pick<Cloud, 'tableEndpoint' | 'tableName'>): Promise<BusinessRecord[]> {
  const table = openTable(tableName, toLocalServiceConfig(tableEndpoint));
  await importBusinesses({ file, table });
  table.client.destroy();
  return checkRecords(parseRecords(await readSource(file)).records).businesses;
}
