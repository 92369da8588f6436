import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { expiryAttribute } from '../../shared/table/keys/names.ts';
import { waitForTable } from './describe-table.ts';
import type { RecoveryTools } from './recovery-tools.ts';

export interface SettingsOptions {
  /** The table whose tags are copied, if it still exists. */
  from: TableDescription | undefined;
  to: TableDescription;
  protect: boolean;
}

/**
 * Applies the settings that a restore does not copy: stream, TTL, point-in-time recovery, deletion
 * protection, tags. Skips settings that the table already has. Idempotent. Returns the new
 * description of the table.
 */
export async function applySettings(
  tools: RecoveryTools,
  { from, to: restored, protect }: SettingsOptions,
): Promise<TableDescription> {
  const { client } = tools;
  const name = getName(restored);
  if (!restored.StreamSpecification?.StreamEnabled) {
    // The purge worker's event source mapping requires the old and the new image of each item.
    await client.send(
      new UpdateTableCommand({
        TableName: name,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
    await waitForTable(tools, name);
  }
  if (protect && !restored.DeletionProtectionEnabled) {
    await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: true }));
    await waitForTable(tools, name);
  }
  await enableTtl(client, name);
  await enableRecovery(client, name);
  if (from) await copyTags(client, from, restored);
  return waitForTable(tools, name);
}

const getName = ({ TableName }: TableDescription): string => {
  if (TableName) return TableName;
  throw new Problem('DynamoDB returned a table description without a table name.');
};

async function enableTtl(client: DynamoDBClient, TableName: string) {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const { TimeToLiveStatus = 'DISABLED' } = TimeToLiveDescription ?? {};
  if (TimeToLiveStatus === 'ENABLED' || TimeToLiveStatus === 'ENABLING') return;
  const TimeToLiveSpecification = { AttributeName: expiryAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function enableRecovery(client: DynamoDBClient, TableName: string) {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryStatus } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(
    new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
  );
}

/**
 * Copies all tags except those with the prefix `aws:`, such as CloudFormation's. Only AWS can set
 * tags with this prefix.
 */
async function copyTags(
  client: DynamoDBClient,
  source: TableDescription,
  restored: TableDescription,
) {
  const { Tags = [] } = await client.send(
    new ListTagsOfResourceCommand({ ResourceArn: source.TableArn }),
  );
  const ownTags = Tags.filter(({ Key = '' }) => !Key.startsWith('aws:'));
  if (ownTags.length === 0) return;
  await client.send(new TagResourceCommand({ ResourceArn: restored.TableArn, Tags: ownTags }));
}
