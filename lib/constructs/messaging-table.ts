import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import {
  expiryAttribute,
  type IndexName,
  indexes,
  tableKey,
} from '../../shared/table/keys/names.ts';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';
import { getStageKey } from './stage-key.ts';

const stringKey = (name: string) => ({ name, type: AttributeType.STRING });

const toProjection = (index: (typeof indexes)[IndexName]) =>
  'attributes' in index
    ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.attributes] }
    : { projectionType: ProjectionType.ALL };

/**
 * Table of a stage. CloudFormation generates the table's name, so that stages can share an account.
 */
export class MessagingTable extends TableV2 {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      partitionKey: stringKey(tableKey.partition),
      sortKey: stringKey(tableKey.sort),
      globalSecondaryIndexes: Object.entries(indexes).map(([indexName, index]) => ({
        indexName,
        partitionKey: stringKey(index.partition),
        sortKey: stringKey(index.sort),
        ...toProjection(index),
      })),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: expiryAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicy(stage),
    });
    const key = getStageKey(scope);
    // Overrides the property because CDK cannot set the key if the stack's region is unknown.
    if (key && this.node.defaultChild instanceof CfnGlobalTable) {
      const property = 'Replicas.0.SSESpecification.KMSMasterKeyId';
      this.node.defaultChild.addPropertyOverride(property, key.keyArn);
    }
  }
}

export type TableInUse = MessagingTable | ITableV2;

/**
 * Returns the restored table that the stage's settings name or, without that setting, the stack's
 * own table. The stack retains its own table, so the stage uses that table again when the setting
 * is removed.
 */
export function getTableInUse(ownTable: MessagingTable, { restoredTable }: Stage): TableInUse {
  if (!restoredTable) return ownTable;
  const { name, streamArn } = restoredTable;
  return TableV2.fromTableAttributes(ownTable.stack, 'RestoredTable', {
    tableName: name,
    tableStreamArn: streamArn,
  });
}
