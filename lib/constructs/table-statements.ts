import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { PartitionKind, TableCall, TableCalls } from '../../shared/contract/operation.ts';
import { partitions } from '../../shared/table/keys/partitions.ts';

/** Grants those calls, each on its own partitions of the table and of its indexes. */
export function tableStatements(calls: TableCalls, tableArn: string): PolicyStatement[] {
  const callsOn = (kind: PartitionKind): readonly TableCall[] => calls[kind] ?? [];
  return [...Map.groupBy(partitions, ({ index }) => index)].flatMap(([index, places]) =>
    [...new Set(places.flatMap(({ kind }) => callsOn(kind)))].map(
      (call) =>
        new PolicyStatement({
          actions: [`dynamodb:${call}`],
          resources: [index ? `${tableArn}/index/${index}` : tableArn],
          conditions: onlyKeys(
            places.filter(({ kind }) => callsOn(kind).includes(call)).flatMap(({ keys }) => keys),
          ),
        }),
    ),
  );
}

/**
 * `dynamodb:LeadingKeys` is the set of the partition keys that a request names. That for the query of an index it is the
 * index's, AWS does not write down; somebody has tried it there and says so (matt.martz.codes, "Lock Down DynamoDB with IAM
 * Policy Conditions"). And the service authorization reference lists the key for ConditionCheckItem, which there is in
 * transactions only, so their parts carry it. `npm run verify` looks at both first. ForAllValues holds of an empty set too: Null requires that there is one. A batch or a transaction may name partitions
 * of several kinds, and statements are not added up: so a call's keys all stand in one.
 */
const onlyKeys = (keys: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
