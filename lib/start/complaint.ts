import { explained } from '../local/terminal/places.ts';
import { isError, messageOf, Problem } from '../problem.ts';

/** What is said of sources that cannot serve. A fault of ours is told with its trace, as everywhere. */
export const complaint = (error: unknown): string =>
  error instanceof Problem
    ? explained(error.message).join('\n')
    : (isError(error) && error.stack) || messageOf(error);
