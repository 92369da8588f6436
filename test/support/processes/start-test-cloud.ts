import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import type { Assembly } from '../../../lib/synthesis/template.ts';
import { type Cloud, type CloudOptions, startCloud } from '../../../local-cloud/cloud.ts';
import { env } from '../../../shared/env.ts';
import { raiseTimeouts } from './raise-timeouts.ts';

/**
 * Starts a local cloud. By default, it keeps its data in memory and runs the tests' stack with
 * longer timeouts. In a complete run, all test clouds share one DynamoDB Local, each with its own
 * table.
 */
export async function startTestCloud(options: Partial<CloudOptions> = {}): Promise<Cloud> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'messaging-')));
  const assembly = options.assembly ?? raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
  const tableEndpoint = process.env.TEST_CLOUD_ENGINE;
  const cloud = await startCloud({
    ...{ port: 0, inMemory: true, ...options, dataDirectory },
    assembly: tableEndpoint ? withNewName(assembly) : assembly,
    ...(tableEndpoint && { tableEndpoint }),
  });
  const { stop, tableName } = cloud;
  return Object.assign(cloud, {
    stop: async () => {
      await stop();
      if (tableEndpoint) await deleteTable(tableEndpoint, tableName);
      await rm(dataDirectory, { recursive: true, force: true });
    },
  });
}

/** Gives the stack, and thus its table, a unique name. */
const withNewName = (assembly: Assembly): Assembly => ({
  ...assembly,
  stackName: `${assembly.stackName}-${randomUUID().slice(0, 8)}`,
});

async function deleteTable(endpoint: string, TableName: string): Promise<void> {
  const client = new DynamoDBClient(toLocalServiceConfig(endpoint));
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
}
