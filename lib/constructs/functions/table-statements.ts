import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { PartitionKind, TableCall, TableCalls } from '../../../shared/contract/operation.ts';
import { partitions } from '../../../shared/table/keys/partitions.ts';

/**
 * Whether DynamoDB sets `dynamodb:LeadingKeys` for calls within a transaction. `npm run verify`
 * checks this (docs/first-deploy.md). If the check fails, set this constant to `false`: calls
 * within a transaction are then allowed on all partitions.
 */
const transactionsHaveLeadingKeys = true;

/** Returns statements that limit each call to its partitions in the table and the indexes. */
export function createTableStatements(
  grants: TableCalls | readonly TableCalls[],
  tableArn: string,
  hasLeadingKeys = transactionsHaveLeadingKeys,
): PolicyStatement[] {
  const calls = [grants].flat();
  const statements = createPartitionStatements(calls, tableArn);
  const fallback = hasLeadingKeys ? undefined : createTransactionStatement(calls, tableArn);
  return fallback ? [...statements, fallback] : statements;
}

const transactionCalls: readonly TableCall[] = [
  'ConditionCheckItem',
  'DeleteItem',
  'PutItem',
  'UpdateItem',
];

/**
 * Returns a statement that grants the function's writes and condition checks on all partitions, but
 * only within transactions.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
function createTransactionStatement(calls: readonly TableCalls[], tableArn: string) {
  const granted = new Set(calls.flatMap((one) => Object.values(one).flat()));
  const actions = transactionCalls.filter((call) => granted.has(call));
  if (actions.length === 0) return undefined;
  return new PolicyStatement({
    actions: actions.map((call) => `dynamodb:${call}`),
    resources: [tableArn],
    conditions: {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    },
  });
}

function createPartitionStatements(
  calls: readonly TableCalls[],
  tableArn: string,
): PolicyStatement[] {
  const callsOn = (kind: PartitionKind): readonly TableCall[] =>
    calls.flatMap((one) => one[kind] ?? []);
  return [...Map.groupBy(partitions, ({ index }) => index)].flatMap(([index, indexPartitions]) =>
    [...new Set(indexPartitions.flatMap(({ kind }) => callsOn(kind)))].map(
      (call) =>
        new PolicyStatement({
          actions: [`dynamodb:${call}`],
          resources: [index ? `${tableArn}/index/${index}` : tableArn],
          conditions: onlyKeys(
            indexPartitions
              .filter(({ kind }) => callsOn(kind).includes(call))
              .flatMap(({ keys }) => keys),
          ),
        }),
    ),
  );
}

/**
 * Returns a condition that requires all partition keys of a call to match `keys`. AWS lists leading
 * keys for ConditionCheckItem (Service Authorization Reference), but only a blog reports them for
 * index queries (matt.martz.codes, "Lock Down DynamoDB with IAM Policy Conditions"). ForAllValues
 * also matches an empty set, so Null requires a key. All keys are in one statement because one
 * statement must match a whole batch or transaction.
 */
const onlyKeys = (keys: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
