import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { env } from '../../../shared/env.ts';
import { client } from '../../../shared/table/calls/client.ts';

const Input = v.looseObject({
  ConsistentRead: v.optional(v.boolean()),
  RequestItems: v.optional(
    v.record(v.string(), v.looseObject({ ConsistentRead: v.optional(v.boolean()) })),
  ),
});
const Output = v.looseObject({
  Responses: v.optional(v.record(v.string(), v.unknown())),
});

let copies = 0;

/**
 * Freezes the indexes and eventually consistent reads at their current state until undone.
 * DynamoDB's may be stale for a moment; DynamoDB Local's never are.
 */
export async function freezeIndexes(): Promise<() => void> {
  copies += 1;
  const copy = `${env('TABLE_NAME')}-${copies}`;
  await copyTable(env('TABLE_NAME'), copy);
  const name = 'fallBehind';
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = v.parse(Input, args.input);
      if (context.commandName === 'QueryCommand' && !input.ConsistentRead) {
        return next({ ...args, input: { ...args.input, TableName: copy } });
      }
      const asked = input.RequestItems?.[env('TABLE_NAME')];
      if (context.commandName !== 'BatchGetItemCommand' || asked?.ConsistentRead) return next(args);
      const result = await next({
        ...args,
        input: { ...args.input, RequestItems: { [copy]: asked } },
      });
      const { Responses, ...output } = v.parse(Output, result.output);
      const found = { Responses: { [env('TABLE_NAME')]: Responses?.[copy] } };
      return { ...result, output: Object.assign(result.output, output, found) };
    },
    { step: 'initialize', name },
  );
  return () => client.middlewareStack.remove(name);
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
