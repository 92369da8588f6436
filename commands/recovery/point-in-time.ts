import { DescribeContinuousBackupsCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';

/** A point in time, in whole seconds; `latest` is about five minutes ago. */
export type PointInTime = Date | 'latest';

/**
 * Parses a UTC time such as `2026-11-21T10:00:00Z`, or `latest`. Accepts only UTC, to avoid errors
 * from daylight saving time. Throws a Problem for any other text.
 */
export function parsePointInTime(text: string | undefined): PointInTime {
  if (text === 'latest') return text;
  const date = new Date(text ?? '');
  // `Date` accepts 31 February as 3 March.
  if (!Number.isNaN(date.getTime()) && formatUtc(date) === text) return date;
  throw new Problem(
    text === undefined
      ? 'Specify a time: --to 2026-11-21T10:00:00Z, or --to latest.'
      : `'${text}' is not valid: specify a time such as 2026-11-21T10:00:00Z, or latest.`,
  );
}

/** Throws a Problem if the table cannot be restored to that time. */
export async function requireRecoverable(
  client: DynamoDBClient,
  TableName: string,
  to: PointInTime,
): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
  if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED' || !earliest || !latest) {
    throw new Problem(`${TableName} cannot be restored: its point-in-time recovery is off.`);
  }
  if (to !== 'latest' && (to < earliest || to > latest)) {
    throw new Problem(
      `${TableName} can be restored to any second from ${formatUtc(earliest)} to ${formatUtc(latest)}, not to ${formatUtc(to)}.`,
    );
  }
}

/** Formats a time in UTC without fractions of a second. */
export const formatUtc = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');
