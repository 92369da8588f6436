/**
 * Importing it has a transaction refused that names an item twice, whatever else is wrong with it. The table does so before
 * it looks at any condition, and DynamoDB Local only after that: there, such a transaction seems to be refused for a reason
 * that can be told.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { client } from '../../shared/table/calls/client.ts';

const Key = v.object({ pk: v.string(), sk: v.string() });
/** Of a put the item has the key. */
const Part = v.object({ Key: v.optional(Key), Item: v.optional(Key) });
const Input = v.object({ TransactItems: v.array(v.record(v.string(), Part)) });

client.middlewareStack.add(
  (next, context) => async (args) => {
    if (context.commandName === 'TransactWriteItemsCommand') {
      const parts = v.parse(Input, args.input).TransactItems.flatMap(Object.values<Part>);
      const keys = new Set(parts.map((part) => JSON.stringify(part.Key ?? part.Item)));
      if (keys.size < parts.length) throw refusal;
    }
    return next(args);
  },
  { step: 'initialize', name: 'strictTransactions' },
);

type Part = v.InferOutput<typeof Part>;

const refusal = new DynamoDBServiceException({
  name: 'ValidationException',
  message: 'Transaction request cannot include multiple operations on one item',
  $fault: 'client',
  $metadata: {},
});
