import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { arn } from '../account.ts';
import type { Stack } from '../stack/read-stack.ts';
import { getTables } from './create-table.ts';
import { getLeadingKeys } from './leading-keys.ts';

export interface RequiredPermission {
  action: string;
  resource: string;
  /** Partition keys of the request. */
  leadingKeys: string[];
  /** The transaction operation that contains the action, such as `TransactWriteItems`. */
  enclosingOperation?: string;
}

/** Partition key names of tables and indexes, by ARN. */
export type PartitionKeys = ReadonlyMap<string, string>;

const TableName = v.string();

const Call = v.object({
  TableName: v.optional(TableName),
  IndexName: v.optional(v.string()),
  RequestItems: v.optional(v.record(TableName, v.unknown())),
  TransactItems: v.optional(v.array(v.record(v.string(), v.looseObject({ TableName })))),
});

const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const toTableArn = (name: string) =>
  name.startsWith('arn:') ? name : arn('dynamodb', `table/${name}`);

const toIndexArn = (table: string, index: string) => `${table}/index/${index}`;

export function getPartitionKeys(stack: Stack): PartitionKeys {
  return new Map(
    getTables(stack).flatMap(({ ref, properties: { KeySchema, GlobalSecondaryIndexes } }) => {
      const table = toTableArn(ref);
      return [
        { resource: table, KeySchema },
        ...GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => ({
          resource: toIndexArn(table, IndexName),
          KeySchema,
        })),
      ].map(({ resource, KeySchema }) => {
        const [partition, ...others] = KeySchema.filter(({ KeyType }) => KeyType === 'HASH');
        // A partition key with several attributes would require further IAM condition keys.
        if (!partition || others.length > 0) {
          throw new Problem(
            `${resource}: the local cloud supports only partition keys of one attribute`,
          );
        }
        return [resource, partition.AttributeName] as const;
      });
    }),
  );
}

/**
 * Returns the permissions that IAM checks for a call. Throws a Problem if the partition that a
 * query reads cannot be determined.
 */
export function getRequiredPermissions(
  operation: string,
  body: unknown,
  partitionKeys: PartitionKeys,
): RequiredPermission[] {
  const call = v.safeParse(Call, body);
  if (!call.success) return [];
  const { TableName, IndexName, RequestItems, TransactItems } = call.output;
  const toPermission = (action: string, resource: string, request: unknown): RequiredPermission => {
    const attribute = partitionKeys.get(resource);
    const keys = attribute === undefined ? [] : getLeadingKeys(request, attribute);
    if (attribute !== undefined && action === 'Query' && keys.length === 0) {
      throw new Problem(`${resource}: cannot determine which partition the query reads`);
    }
    return { action: `dynamodb:${action}`, resource, leadingKeys: keys };
  };
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([part, request]) => ({
        ...toPermission(transactionActions[part] ?? part, toTableArn(request.TableName), request),
        enclosingOperation: operation,
      })),
    );
  }
  if (RequestItems) {
    return Object.entries(RequestItems).map(([table, request]) =>
      toPermission(operation, toTableArn(table), request),
    );
  }
  if (TableName === undefined) return [toPermission(operation, '*', body)];
  const table = toTableArn(TableName);
  return [
    toPermission(operation, IndexName === undefined ? table : toIndexArn(table, IndexName), body),
  ];
}
