import { Problem } from '../../lib/problem.ts';
import { ApiError } from '../../shared/api-error.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';

/**
 * Returns a Problem with the reason and `nextStep` if the table throttled or rejected the request,
 * or could not be reached. Returns other errors unchanged.
 */
export function toInterruptionProblem(error: unknown, nextStep: string): unknown {
  const reason =
    error instanceof ApiError
      ? 'The table is throttled or cannot be reached.'
      : toAwsErrorMessage(error);
  return reason === undefined ? error : new Problem(`Stopped: ${reason}\n${nextStep}`);
}
