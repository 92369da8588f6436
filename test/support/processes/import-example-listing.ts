import { saveBusinesses } from '../../../commands/businesses/save-businesses.ts';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { listing } from '../../../shared/contract/examples.ts';

/** Stores the business that the example call of `business/retrieve` requests. */
export const importExampleListing = ({ tableName, tableEndpoint }: Cloud): Promise<unknown> =>
  saveBusinesses(openTable(tableName, toLocalServiceConfig(tableEndpoint)), [listing]);
