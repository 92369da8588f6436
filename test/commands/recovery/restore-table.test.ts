import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { parsePointInTime } from '../../../commands/recovery/point-in-time.ts';
import { restoreTable, toTargetName } from '../../../commands/recovery/restore-table.ts';
import { mockTools } from './mocked-tools.ts';

const source = 'messaging-prod-Table-1';
const target = 'messaging-prod-restored-20261121T100000Z';
const to = new Date('2026-11-21T10:00:00Z');

const index = (IndexName: string, IndexStatus: 'ACTIVE' | 'CREATING' = 'ACTIVE') => ({
  IndexName,
  IndexStatus,
  KeySchema: [{ AttributeName: `${IndexName}pk`, KeyType: 'HASH' as const }],
  Projection: { ProjectionType: 'ALL' as const },
});

const table = (TableName: string, more: Partial<TableDescription> = {}) => ({
  Table: {
    TableName,
    TableArn: `arn:${TableName}`,
    TableStatus: 'ACTIVE' as const,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
    GlobalSecondaryIndexes: [index('gsi1')],
    ItemCount: 3,
    ...more,
  },
});

const live = table(source, { ItemCount: 5 });
const incomplete = table(target);
const streaming = {
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
  LatestStreamArn: `arn:${target}/stream/1`,
};
const complete = table(target, { ...streaming, DeletionProtectionEnabled: true });
const notFound = new ResourceNotFoundException({ message: 'gone', $metadata: {} });

const backups = (PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED') => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED' as const,
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus,
      EarliestRestorableDateTime: new Date('2026-11-01T00:00:00Z'),
      LatestRestorableDateTime: new Date('2026-11-21T11:55:00Z'),
    },
  },
});

/** Mocks AWS. The tables have one conversation with two messages. */
function prepared() {
  const mocked = mockTools();
  const { mock } = mocked;
  mock.on(DescribeTableCommand, { TableName: source }).resolves(live);
  mock
    .on(DescribeTableCommand, { TableName: target })
    .rejectsOnce(notFound)
    .resolvesOnce(table(target, { TableStatus: 'CREATING' }))
    .resolvesOnce(table(target, { GlobalSecondaryIndexes: [index('gsi1', 'CREATING')] }))
    .resolvesOnce(incomplete)
    .resolves(complete);
  mock.on(DescribeContinuousBackupsCommand, { TableName: source }).resolves(backups('ENABLED'));
  mock.on(DescribeContinuousBackupsCommand, { TableName: target }).resolves(backups('DISABLED'));
  mock
    .on(DescribeTimeToLiveCommand)
    .resolves({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } });
  mock.on(ListTagsOfResourceCommand).resolves({
    Tags: [
      { Key: 'team', Value: 'messaging' },
      { Key: 'aws:cloudformation:stack-name', Value: 'messaging-prod' },
    ],
  });
  holding(mocked, { message_count: 2, newest: 2, inInbox: 1 });
  return mocked;
}

function holding(
  { items }: ReturnType<typeof mockTools>,
  { message_count, newest, inInbox }: Record<'message_count' | 'newest' | 'inInbox', number>,
) {
  const inbox = { gsi1pk: 'INBOX#CONTACT#ann', activity: '7#1' };
  const conversation = { pk: 'CONVERSATION#1', ...inbox, message_count };
  items.on(ScanCommand).resolves({ Items: [conversation] });
  items.on(QueryCommand).resolves({ Items: [{ sequence: newest }] });
  items
    .on(QueryCommand, { IndexName: 'gsi1' })
    .resolves({ Items: Array.from({ length: inInbox }, () => conversation) });
}

describe('Restoring a table', () => {
  test('creates a new table, waits, applies the settings that a restore omits, and checks the table', async () => {
    const { tools, calls, printed } = prepared();
    expect(await restoreTable(tools, { source, target, to, protect: true })).toEqual({
      name: target,
      streamArn: `arn:${target}/stream/1`,
    });
    const readTable = ['DescribeTableCommand', { TableName: target }];
    expect(calls().slice(0, -3)).toEqual([
      ['DescribeTableCommand', { TableName: source }],
      readTable,
      ['DescribeContinuousBackupsCommand', { TableName: source }],
      [
        'RestoreTableToPointInTimeCommand',
        { SourceTableName: source, TargetTableName: target, RestoreDateTime: to },
      ],
      readTable,
      readTable,
      readTable,
      [
        'UpdateTableCommand',
        { TableName: target, StreamSpecification: streaming.StreamSpecification },
      ],
      readTable,
      ['UpdateTableCommand', { TableName: target, DeletionProtectionEnabled: true }],
      readTable,
      ['DescribeTimeToLiveCommand', { TableName: target }],
      [
        'UpdateTimeToLiveCommand',
        {
          TableName: target,
          TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
        },
      ],
      ['DescribeContinuousBackupsCommand', { TableName: target }],
      [
        'UpdateContinuousBackupsCommand',
        {
          TableName: target,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
      ['ListTagsOfResourceCommand', { ResourceArn: `arn:${source}` }],
      [
        'TagResourceCommand',
        { ResourceArn: `arn:${target}`, Tags: [{ Key: 'team', Value: 'messaging' }] },
      ],
      readTable,
    ]);
    expect(
      calls()
        .slice(-3)
        .map(([name]) => name),
    ).toEqual(['ScanCommand', 'QueryCommand', 'QueryCommand']);
    expect(printed).toEqual([
      `Restoring ${source} as of 2026-11-21T10:00:00Z to ${target}. This takes 10 minutes to several hours.`,
      `Waiting for the table ${target} …`,
      'Applied the settings: stream, TTL, point-in-time recovery, deletion protection and tags.',
      'Checked the keys, the indexes and 1 conversations: all are correct.',
      'The new table has 3 items; the source has 5 (DynamoDB updates these counts about every six hours).',
    ]);
  });

  test('resumes with an existing table, and changes none of its settings', async () => {
    const { tools, mock, calls, printed } = prepared();
    mock.on(DescribeTableCommand, { TableName: target }).resolves(complete);
    mock.on(DescribeContinuousBackupsCommand, { TableName: target }).resolves(backups('ENABLED'));
    mock
      .on(DescribeTimeToLiveCommand)
      .resolves({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } });
    mock.on(ListTagsOfResourceCommand).resolves({ Tags: [] });
    await restoreTable(tools, { source, target, to, protect: true });
    expect(calls().map(([name]) => name)).toEqual([
      'DescribeTableCommand',
      'DescribeTableCommand',
      'DescribeTableCommand',
      'DescribeTimeToLiveCommand',
      'DescribeContinuousBackupsCommand',
      'ListTagsOfResourceCommand',
      'DescribeTableCommand',
      'ScanCommand',
      'QueryCommand',
      'QueryCommand',
    ]);
    expect(printed[0]).toBe(`The table ${target} already exists: resuming with it.`);
  });

  test('accepts the latest restorable time', async () => {
    const { tools, mock } = prepared();
    await restoreTable(tools, { source, target, to: 'latest', protect: true });
    const [call] = mock.commandCalls(RestoreTableToPointInTimeCommand);
    expect(call?.args[0].input).toEqual({
      SourceTableName: source,
      TargetTableName: target,
      UseLatestRestorableTime: true,
    });
  });

  test('rejects a time outside the restorable range and a table without point-in-time recovery', async () => {
    const { tools, mock } = prepared();
    const early = { source, target, to: new Date('2026-10-01T00:00:00Z'), protect: true };
    await expect(restoreTable(tools, early)).rejects.toThrow(
      `${source} can be restored to any second from 2026-11-01T00:00:00Z to 2026-11-21T11:55:00Z, not to 2026-10-01T00:00:00Z.`,
    );
    mock.on(DescribeContinuousBackupsCommand, { TableName: source }).resolves(backups('DISABLED'));
    mock.on(DescribeTableCommand, { TableName: target }).rejects(notFound);
    await expect(restoreTable(tools, { source, target, to, protect: true })).rejects.toThrow(
      `${source} cannot be restored: its point-in-time recovery is off.`,
    );
    expect(mock.commandCalls(RestoreTableToPointInTimeCommand)).toEqual([]);
  });

  test.each([
    [
      'a message beyond the reserved sequence numbers',
      { message_count: 2, newest: 3, inInbox: 1 },
      'CONVERSATION#1 has a message with sequence number 3, but its counter is 2.',
    ],
    [
      'a conversation that is missing from its inbox',
      { message_count: 2, newest: 2, inInbox: 0 },
      'CONVERSATION#1 is missing from its inbox in gsi1.',
    ],
  ])('reports %s', async (_, contents, fault) => {
    const mocked = prepared();
    holding(mocked, contents);
    await expect(restoreTable(mocked.tools, { source, target, to, protect: true })).rejects.toThrow(
      `Do not use ${target}:\n- ${fault}`,
    );
  });

  test('after the source is deleted, resumes if the new table exists, and otherwise fails', async () => {
    const { tools, mock } = prepared();
    mock.on(DescribeTableCommand, { TableName: source }).rejects(notFound);
    const options = { source, target, to, protect: true };
    await expect(restoreTable(tools, options)).rejects.toThrow(
      `The table ${source} no longer exists: see docs/recovery.md.`,
    );
    mock.on(DescribeTableCommand, { TableName: target }).resolves(complete);
    expect(await restoreTable(tools, options)).toEqual({
      name: target,
      streamArn: `arn:${target}/stream/1`,
    });
    expect(mock.commandCalls(ListTagsOfResourceCommand)).toEqual([]);
  });

  test('is rejected if the new table is already the active one', async () => {
    const { tools, calls } = prepared();
    await expect(
      restoreTable(tools, { source: target, target, to, protect: true }),
    ).rejects.toThrow(`${target} is already the active table: there is nothing to restore.`);
    expect(calls()).toEqual([]);
  });

  test('reports a missing index', async () => {
    const { tools, mock } = prepared();
    const { Table } = table(source, { GlobalSecondaryIndexes: [index('gsi1'), index('gsi2')] });
    mock.on(DescribeTableCommand, { TableName: source }).resolves({ Table });
    await expect(restoreTable(tools, { source, target, to, protect: true })).rejects.toThrow(
      `Do not use ${target}:\n- The index gsi2 is missing.`,
    );
  });
});

describe('A restore point', () => {
  test('is a UTC time to the second or `latest`, and the new table’s name contains the time (the current time for `latest`)', () => {
    expect(parsePointInTime('2026-11-21T10:00:00Z')).toEqual(to);
    expect(parsePointInTime('latest')).toBe('latest');
    expect(toTargetName('messaging-prod', to, 0)).toBe(target);
    expect(toTargetName('messaging-prod', 'latest', to.getTime() + 999)).toBe(target);
  });

  test.each([
    'yesterday',
    '2026-11-21',
    '2026-11-21T10:00:00',
    '2026-13-21T10:00:00Z',
    '2026-02-31T10:00:00Z',
  ])('such as %s is rejected', (text) => {
    expect(() => parsePointInTime(text)).toThrow(
      `'${text}' is not valid: specify a time such as 2026-11-21T10:00:00Z, or latest.`,
    );
  });
});
