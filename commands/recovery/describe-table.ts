import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { pollUntilFound } from './poll-until-found.ts';
import type { RecoveryTools } from './recovery-tools.ts';

export async function findTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

export async function getTable(client: DynamoDBClient, name: string): Promise<TableDescription> {
  const table = await findTable(client, name);
  if (!table) throw new Problem(`Table not found: ${name}.`);
  return table;
}

/** Waits until the table and all its indexes are active. Returns the description of the table. */
export const waitForTable = (tools: RecoveryTools, name: string): Promise<TableDescription> =>
  pollUntilFound(tools, `the table ${name}`, async () => {
    const table = await getTable(tools.client, name);
    return isActive(table) ? table : undefined;
  });

const isActive = ({ TableStatus, GlobalSecondaryIndexes = [] }: TableDescription) =>
  TableStatus === 'ACTIVE' &&
  GlobalSecondaryIndexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE');
