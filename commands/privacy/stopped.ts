import { Problem } from '../../lib/problem.ts';
import { ApiError } from '../../shared/api-error.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';

/**
 * What is told when the table was too busy, refused, or could not be reached, with what to do then;
 * a fault of ours as it is.
 */
export function stopped(error: unknown, cure: string): unknown {
  const why =
    error instanceof ApiError
      ? 'The table is too busy, or cannot be reached.'
      : awsComplaint(error);
  return why === undefined ? error : new Problem(`Stopped: ${why}\n${cure}`);
}
