import { DescribeExportCommand, ExportTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { getTable } from './describe-table.ts';
import { type PointInTime, requireRecoverable } from './point-in-time.ts';
import { pollUntilFound } from './poll-until-found.ts';
import type { RecoveryTools } from './recovery-tools.ts';

export interface ExportOptions {
  source: string;
  bucket: string;
  prefix: string | undefined;
  to: PointInTime;
}

/**
 * Exports the table's state at a point in time to a bucket, and waits until the export ends.
 * Consumes no read capacity. Returns the S3 URI of the manifest. Throws a Problem if the export
 * fails or the table cannot be restored to that time.
 */
export async function exportTable(
  tools: RecoveryTools,
  { source, bucket, prefix, to }: ExportOptions,
): Promise<string> {
  const { client, print } = tools;
  const { TableArn } = await getTable(client, source);
  await requireRecoverable(client, source, to);
  const { ExportDescription } = await client.send(
    new ExportTableToPointInTimeCommand({
      TableArn,
      S3Bucket: bucket,
      ...(prefix !== undefined && { S3Prefix: prefix }),
      ExportFormat: 'DYNAMODB_JSON',
      ...(to !== 'latest' && { ExportTime: to }),
    }),
  );
  const ExportArn = ExportDescription?.ExportArn;
  print(`Exporting ${source} to s3://${bucket}.`);
  return pollUntilFound(tools, 'the export', async () => {
    const described = await client.send(new DescribeExportCommand({ ExportArn }));
    const { ExportStatus, FailureMessage, ExportManifest, ItemCount } =
      described.ExportDescription ?? {};
    if (ExportStatus === 'FAILED') {
      throw new Problem(`The export of ${source} failed: ${FailureMessage}`);
    }
    if (ExportStatus !== 'COMPLETED') return undefined;
    print(`Exported ${ItemCount} items.`);
    return `s3://${bucket}/${ExportManifest}`;
  });
}
