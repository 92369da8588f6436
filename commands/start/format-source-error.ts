import { isError, Problem, toErrorMessage } from '../../lib/problem.ts';
import { toReadableError } from '../../local-cloud/terminal/source-locations.ts';

/**
 * Returns the message for sources that cannot be built. For an internal error, includes the stack
 * trace.
 */
export const formatSourceError = (error: unknown): string =>
  error instanceof Problem
    ? toReadableError(error.message).join('\n')
    : (isError(error) && error.stack) || toErrorMessage(error);
