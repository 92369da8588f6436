import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { usage } from '../../log/usage.ts';

const Consumed = v.object({ CapacityUnits: v.number() });
const Output = v.object({ ConsumedCapacity: v.optional(v.union([Consumed, v.array(Consumed)])) });

const reads = new Set(['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand']);

/** Makes every call of the client report its consumed capacity, and adds it to `usage`. */
export function measureUsage(client: DynamoDBDocumentClient): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      usage.table_calls += 1;
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const };
      const result = await next({ ...args, input });
      const { ConsumedCapacity = [] } = v.parse(Output, result.output);
      for (const { CapacityUnits } of [ConsumedCapacity].flat()) {
        if (reads.has(context.commandName ?? '')) usage.read_units += CapacityUnits;
        else usage.write_units += CapacityUnits;
      }
      return result;
    },
    { step: 'initialize', name: 'measureUsage' },
  );
}
