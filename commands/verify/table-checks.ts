import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expiryAttribute } from '../../shared/table/keys/names.ts';
import { type Check, Differs, NotCheckable, needed } from './check.ts';
import { noServices, type Subject } from './subject.ts';

/** What the table is set to. */
export function tableChecks({ kind, running, stage }: Subject): Check[] {
  const table = () => {
    const { output, dynamodb } = needed(running, noServices);
    return { client: new DynamoDBClient(dynamodb), TableName: output('TableName') };
  };
  return [
    {
      name: 'Table: point-in-time recovery',
      expected: 'ENABLED',
      cure: 'deploy again; a table that was restored needs it switched on (docs/recovery.md)',
      look: async () => {
        const { client, TableName } = table();
        if (kind === 'local') throw new NotCheckable('DynamoDB Local has none');
        const { ContinuousBackupsDescription: backups } = await client.send(
          new DescribeContinuousBackupsCommand({ TableName }),
        );
        const recovery = backups?.PointInTimeRecoveryDescription;
        return only('ENABLED', recovery?.PointInTimeRecoveryStatus);
      },
    },
    {
      name: `Table: expiry by ${expiryAttribute}`,
      expected: `ENABLED by ${expiryAttribute}`,
      cure: 'deploy again; a table that was restored needs it switched on (docs/recovery.md)',
      look: async () => {
        const { client, TableName } = table();
        const { TimeToLiveDescription: expiry } = await client.send(
          new DescribeTimeToLiveCommand({ TableName }),
        );
        const by = `${expiry?.TimeToLiveStatus} by ${expiry?.AttributeName}`;
        return only(`ENABLED by ${expiryAttribute}`, by);
      },
    },
    {
      name: 'Table: protected from deletion',
      expected: 'yes, in a stage that keeps its data',
      cure: 'deploy again',
      look: async () => {
        const { client, TableName } = table();
        if (!stage?.keepsData) throw new NotCheckable('the stage does not keep its data');
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
