import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { Problem } from '../../../lib/problem.ts';
import { expiryAttribute } from '../../../shared/table/keys/names.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { noServicesReason, type VerifyTarget } from '../target/target.ts';

export function tableChecks({ kind, running, stage }: VerifyTarget): Check[] {
  const getTable = () => {
    const { output, dynamodb } = requireValue(running, noServicesReason);
    return { client: new DynamoDBClient(dynamodb), TableName: output('TableName') };
  };
  return [
    {
      name: 'Table: point-in-time recovery',
      expected: 'ENABLED',
      cure: 'deploy again; on a restored table, enable point-in-time recovery (docs/recovery.md)',
      run: async () => {
        const { client, TableName } = getTable();
        if (kind === 'local') throw new NotCheckable('not available in DynamoDB Local');
        const { ContinuousBackupsDescription: backups } = await client.send(
          new DescribeContinuousBackupsCommand({ TableName }),
        );
        const recovery = backups?.PointInTimeRecoveryDescription;
        return requireEqual('ENABLED', recovery?.PointInTimeRecoveryStatus);
      },
    },
    {
      name: `Table: TTL on ${expiryAttribute}`,
      expected: `ENABLED on ${expiryAttribute}`,
      cure: 'deploy again; on a restored table, enable TTL (docs/recovery.md)',
      run: async () => {
        const { client, TableName } = getTable();
        const { TimeToLiveDescription: expiry } = await client.send(
          new DescribeTimeToLiveCommand({ TableName }),
        );
        const state = `${expiry?.TimeToLiveStatus} on ${expiry?.AttributeName}`;
        return requireEqual(`ENABLED on ${expiryAttribute}`, state);
      },
    },
    {
      name: 'Table: deletion protection',
      expected: 'enabled, in a stage that retains its data',
      cure: 'deploy again',
      run: async () => {
        const { client, TableName } = getTable();
        if (!stage?.keepsData) throw new NotCheckable('the stage does not retain its data');
        const { Table } = await client.send(new DescribeTableCommand({ TableName }));
        return requireEqual('yes', Table?.DeletionProtectionEnabled ? 'yes' : 'no');
      },
    },
  ];
}

function requireEqual(expected: string, seen = 'nothing'): string {
  if (seen !== expected) throw new Problem(seen);
  return seen;
}
