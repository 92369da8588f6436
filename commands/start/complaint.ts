import { isError, messageOf, Problem } from '../../lib/problem.ts';
import { explained } from '../../local-cloud/terminal/places.ts';

/**
 * Returns the message for sources that cannot be built. Internal errors include their stack trace.
 */
export const complaint = (error: unknown): string =>
  error instanceof Problem
    ? explained(error.message).join('\n')
    : (isError(error) && error.stack) || messageOf(error);
