import { join } from 'node:path';
import { importBusinesses } from '../../../commands/businesses/import-businesses.ts';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { openTable } from '../../../commands/stage/stage-table.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import { scenarioEnvironment } from './scenario-environment.ts';

let cloud: Cloud | undefined;

/**
 * Starts a local cloud with the demo businesses. If API_URL is set, the scenarios instead use that
 * API with the tokens ANN, BOB and CAROL.
 */
export default async function setUp(): Promise<void> {
  if (process.env.API_URL) return;
  const root = join(import.meta.dirname, '../../..');
  const dataDirectory = join(root, '.local/test');
  cloud = await startCloud({ port: 0, dataDirectory, inMemory: true });
  const { tableName, tableEndpoint } = cloud;
  await importBusinesses({
    file: join(root, 'demo/businesses.ndjson'),
    table: openTable(tableName, toLocalServiceConfig(tableEndpoint)),
  });
  Object.assign(process.env, await scenarioEnvironment(cloud));
}

export const tearDown = async (): Promise<void> => cloud?.stop();
