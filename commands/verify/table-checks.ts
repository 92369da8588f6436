import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expiryAttribute } from '../../shared/table/keys/names.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noServices, type Subject } from './subject.ts';

/** Returns the checks of the table's settings. */
export function tableChecks({ kind, running, stage }: Subject): Check[] {
  const table = () => {
    const { output, dynamodb } = needed(running, noServices);
    return { client: new DynamoDBClient(dynamodb), TableName: output('TableName') };
  };
  return [
    {
      name: 'Table: point-in-time recovery',
      expected: 'ENABLED',
      cure: 'deploy again; on a restored table, enable it (docs/recovery.md)',
      look: async () => {
        const { client, TableName } = table();
        if (kind === 'local') throw new NotCheckable('not available in DynamoDB Local');
        const { ContinuousBackupsDescription: backups } = await client.send(
          new DescribeContinuousBackupsCommand({ TableName }),
        );
        const recovery = backups?.PointInTimeRecoveryDescription;
        return only('ENABLED', recovery?.PointInTimeRecoveryStatus);
      },
    },
    {
      name: `Table: TTL on ${expiryAttribute}`,
      expected: `ENABLED on ${expiryAttribute}`,
      cure: 'deploy again; on a restored table, enable it (docs/recovery.md)',
      look: async () => {
        const { client, TableName } = table();
        const { TimeToLiveDescription: expiry } = await client.send(
          new DescribeTimeToLiveCommand({ TableName }),
        );
        const by = `${expiry?.TimeToLiveStatus} on ${expiry?.AttributeName}`;
        return only(`ENABLED on ${expiryAttribute}`, by);
      },
    },
    {
      name: 'Table: deletion protection',
      expected: 'enabled, in a stage that retains its data',
      cure: 'deploy again',
      look: async () => {
        const { client, TableName } = table();
        if (!stage?.keepsData) throw new NotCheckable('the stage does not retain its data');
        const { Table } = await client.send(new DescribeTableCommand({ TableName }));
        return only('yes', Table?.DeletionProtectionEnabled ? 'yes' : 'no');
      },
    },
  ];
}

function only(expected: string, seen = 'nothing'): string {
  if (seen !== expected) throw new Differs(seen);
  return seen;
}
