import { DescribeContinuousBackupsCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';

/** A second that a table can be taken back to; `latest` is some five minutes ago. */
export type PointInTime = Date | 'latest';

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** `2026-11-21T10:00:00Z`, in UTC so that nobody has to think of summer time; or `latest`. */
export function pointInTime(text: string | undefined): PointInTime {
  if (text === 'latest') return text;
  const date = new Date(text ?? '');
  if (text !== undefined && form.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new Problem(
    text === undefined
      ? 'Say to when: --to 2026-11-21T10:00:00Z, or --to latest.'
      : `'${text}' is no time of the form 2026-11-21T10:00:00Z, and not latest.`,
  );
}

/** Throws a Problem when the table cannot be taken back to then. */
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
    throw new Problem(`${TableName} cannot be taken back: its point-in-time recovery is off.`);
  }
  if (to !== 'latest' && (to < earliest || to > latest)) {
    throw new Problem(
      `${TableName} can be taken back to any second from ${inUtc(earliest)} to ${inUtc(latest)}, not to ${inUtc(to)}.`,
    );
  }
}

/** Without fractions of a second, as it is given. */
export const inUtc = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');
