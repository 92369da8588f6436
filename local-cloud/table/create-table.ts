import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  ScanCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import type { Template } from '../../lib/synthesis/template.ts';
import { type Resource, readStack, type Stack } from '../stack/read-stack.ts';
import { describeTableDifference } from './table-difference.ts';
import { TableProperties } from './table-properties.ts';

type Table = Resource<TableProperties>;

/** Returns the stack's tables. `ref` is also the table's name in DynamoDB Local. */
export const getTables = (stack: Stack): Table[] =>
  stack.resources('AWS::DynamoDB::GlobalTable', TableProperties);

export async function createTable(client: DynamoDBClient, template: Template): Promise<string> {
  const [table] = getTables(readStack('local', template));
  if (!table) throw new Problem('The template has no table.');
  await createFromProperties(client, table);
  return table.ref;
}

/**
 * Creates the table if it does not exist. Returns whether the table is empty. If the existing table
 * differs from the template, throws a Problem that ends with `remedy`.
 */
export async function ensureTable(
  client: DynamoDBClient,
  table: Table,
  remedy: string,
): Promise<boolean> {
  const existing = await describeTable(client, table.ref);
  if (!existing) {
    await createFromProperties(client, table);
    return true;
  }
  const difference = describeTableDifference(existing, table.properties);
  if (!difference) return isEmpty(client, table.ref);
  throw new Problem(`The stored table differs from the stack in ${difference}: ${remedy}`);
}

async function createFromProperties(
  client: DynamoDBClient,
  { ref, properties }: Table,
): Promise<void> {
  const { StreamSpecification, TimeToLiveSpecification, GlobalSecondaryIndexes } = properties;
  const expiryAttribute = TimeToLiveSpecification?.Enabled && TimeToLiveSpecification.AttributeName;
  await client.send(
    new CreateTableCommand({
      TableName: ref,
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      BillingMode: properties.BillingMode,
      ...(GlobalSecondaryIndexes.length > 0 && {
        GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(({ Projection, ...index }) => ({
          ...index,
          Projection: {
            ProjectionType: Projection.ProjectionType,
            ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
          },
        })),
      }),
      ...(StreamSpecification && {
        StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
      }),
    }),
  );
  await waitUntilTableExists(
    { client, minDelay: 0.02, maxDelay: 0.1, maxWaitTime: 10 },
    { TableName: ref },
  );
  if (expiryAttribute) {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: ref,
        TimeToLiveSpecification: { AttributeName: expiryAttribute, Enabled: true },
      }),
    );
  }
}

async function isEmpty(client: DynamoDBClient, TableName: string): Promise<boolean> {
  const { Count } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return Count === 0;
}

async function describeTable(client: DynamoDBClient, name: string) {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
