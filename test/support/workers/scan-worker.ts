import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { handler } from '../../../functions/scan.ts';

/** Returns a shortened GuardDuty scan event with all fields that the workers read. */
export const toScanEvent = (objectKey: string, scanResultStatus: string) => ({
  detail: {
    scanStatus: 'COMPLETED',
    s3ObjectDetails: { bucketName: 'files', objectKey },
    scanResultDetails: { scanResultStatus, threats: null },
  },
});

export async function recordScanOf(attachmentId: string, result: string): Promise<void> {
  const key = `files/${attachmentId.slice(0, 26)}/${attachmentId.slice(26)}`;
  await runScanWorker(toScanEvent(key, result));
}

export async function runScanWorker(event: unknown): Promise<void> {
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 300_000 };
  await handler(event, context as Context);
}
