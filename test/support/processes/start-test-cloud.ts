import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import type { Assembly } from '../../../lib/synthesis/template.ts';
import { region } from '../../../local-cloud/account.ts';
import { type Cloud, type CloudOptions, startCloud } from '../../../local-cloud/cloud.ts';
import { env } from '../../../shared/env.ts';

/**
 * Starts an in-memory local cloud with the tests' synthesis. In a complete run, all of these clouds
 * share one DynamoDB Local, in which each has a table. `stop` also removes its data.
 */
export async function startTestCloud(options: Partial<CloudOptions> = {}): Promise<Cloud> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'messaging-')));
  const assembly = options.assembly ?? (await readAssembly(env('TEST_ASSEMBLY')));
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

/** Gives the stack, and with it the table, a name of its own. */
const withNewName = (assembly: Assembly): Assembly => ({
  ...assembly,
  stackName: `${assembly.stackName}-${randomUUID().slice(0, 8)}`,
});

async function deleteTable(endpoint: string, TableName: string): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
}
