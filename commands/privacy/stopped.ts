import { Problem } from '../../lib/problem.ts';
import { ApiError } from '../../shared/api-error.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';

/**
 * Returns a Problem with the next step if the table was throttled, refused the request or could not
 * be reached. Returns other errors unchanged.
 */
export function stopped(error: unknown, cure: string): unknown {
  const why =
    error instanceof ApiError
      ? 'The table is throttled or cannot be reached.'
      : awsComplaint(error);
  return why === undefined ? error : new Problem(`Stopped: ${why}\n${cure}`);
}
