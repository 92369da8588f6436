import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { env } from '../../../shared/env.ts';
import { client } from '../../../shared/table/calls/table-client.ts';

const Input = v.looseObject({
  ConsistentRead: v.optional(v.boolean()),
  RequestItems: v.optional(
    v.record(v.string(), v.looseObject({ ConsistentRead: v.optional(v.boolean()) })),
  ),
});

let copies = 0;

/**
 * Freezes the results of eventually consistent queries and batch reads, including index queries,
 * until the returned function is called. In DynamoDB, these results may be briefly stale. In
 * DynamoDB Local, they are always current.
 */
export async function freezeIndexes(): Promise<() => void> {
  copies += 1;
  const copy = `${env('TABLE_NAME')}-${copies}`;
  await copyTable(env('TABLE_NAME'), copy);
  const callCurrent = client.call;
  client.call = async (operation, input) => {
    const { ConsistentRead, RequestItems } = v.parse(Input, input);
    if (operation === 'Query' && !ConsistentRead) {
      return callCurrent(operation, { ...input, TableName: copy });
    }
    const tableRequest = RequestItems?.[env('TABLE_NAME')];
    if (operation !== 'BatchGetItem' || tableRequest?.ConsistentRead) {
      return callCurrent(operation, input);
    }
    const ofCopy = { ...input, RequestItems: { [copy]: tableRequest } };
    const output = await callCurrent(operation, ofCopy);
    return { ...output, Responses: { [env('TABLE_NAME')]: output.Responses[copy] ?? [] } };
  };
  return () => {
    client.call = callCurrent;
  };
}

async function copyTable(from: string, to: string): Promise<void> {
  const raw = new DynamoDBClient();
  const { Table } = await raw.send(new DescribeTableCommand({ TableName: from }));
  await raw.send(
    new CreateTableCommand({
      TableName: to,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(
        ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
      ),
    }),
  );
  for await (const { Items = [] } of paginateScan({ client: raw }, { TableName: from })) {
    await Promise.all(Items.map((Item) => raw.send(new PutItemCommand({ TableName: to, Item }))));
  }
}
