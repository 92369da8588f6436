import { isError, messageOf, Problem } from '../../lib/problem.ts';
import { explained } from '../../local-cloud/terminal/places.ts';

/** What is said of sources that cannot serve. A fault of ours is told with its trace, as everywhere. */
export const complaint = (error: unknown): string =>
  error instanceof Problem
    ? explained(error.message).join('\n')
    : (isError(error) && error.stack) || messageOf(error);
