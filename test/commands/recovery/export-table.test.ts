import {
  DescribeContinuousBackupsCommand,
  DescribeExportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { exportTable } from '../../../commands/recovery/export-table.ts';
import { mockTools } from './mocked-tools.ts';

const source = 'messaging-prod-Table-1';
const bucket = 'exports';
const to = new Date('2026-11-21T10:00:00Z');

function prepared() {
  const mocked = mockTools();
  const { mock } = mocked;
  mock.on(DescribeTableCommand).resolves({ Table: { TableArn: 'arn:table' } });
  mock.on(DescribeContinuousBackupsCommand).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: 'ENABLED',
        EarliestRestorableDateTime: new Date('2026-11-01T00:00:00Z'),
        LatestRestorableDateTime: new Date('2026-11-21T11:55:00Z'),
      },
    },
  });
  mock
    .on(ExportTableToPointInTimeCommand)
    .resolves({ ExportDescription: { ExportArn: 'arn:export' } });
  return mocked;
}

describe('Exporting a table', () => {
  test('starts the export, waits, and returns the location of the manifest', async () => {
    const { tools, mock, calls, printed } = prepared();
    const written = { ExportStatus: 'COMPLETED' as const, ExportManifest: 'a/manifest.json' };
    mock
      .on(DescribeExportCommand)
      .resolvesOnce({ ExportDescription: { ExportStatus: 'IN_PROGRESS' } })
      .resolves({ ExportDescription: { ...written, ItemCount: 7 } });
    expect(await exportTable(tools, { source, bucket, prefix: 'nightly', to })).toBe(
      's3://exports/a/manifest.json',
    );
    expect(calls()).toEqual([
      ['DescribeTableCommand', { TableName: source }],
      ['DescribeContinuousBackupsCommand', { TableName: source }],
      [
        'ExportTableToPointInTimeCommand',
        {
          TableArn: 'arn:table',
          S3Bucket: bucket,
          S3Prefix: 'nightly',
          ExportFormat: 'DYNAMODB_JSON',
          ExportTime: to,
        },
      ],
      ['DescribeExportCommand', { ExportArn: 'arn:export' }],
      ['DescribeExportCommand', { ExportArn: 'arn:export' }],
    ]);
    expect(printed).toEqual([
      `Exporting ${source} to s3://${bucket}.`,
      'Waiting for the export …',
      'Exported 7 items.',
    ]);
  });

  test('fails with the reason that DynamoDB returns', async () => {
    const { tools, mock } = prepared();
    mock.on(DescribeExportCommand).resolves({
      ExportDescription: { ExportStatus: 'FAILED', FailureMessage: 'no such bucket' },
    });
    await expect(
      exportTable(tools, { source, bucket, prefix: undefined, to: 'latest' }),
    ).rejects.toThrow(`The export of ${source} failed: no such bucket`);
  });
});
